"""How fast lastro is, beside others in the same run: `./run bench`. Nothing here fails on seconds."""
