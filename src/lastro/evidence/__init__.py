"""What it is for: to read fiscal documents, tell whether they are authentic, and what each line counts.
What comes in: bytes of files, trusted certificates, a registry, a norm, a day.
What goes out: a `Document` for each paper found, and for each document a `Verdict` with reasons."""
