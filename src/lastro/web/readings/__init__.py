"""What pages show: plain data gathered from the store and the rooms, in the words a person reads."""
