"""What it is for: to fetch documents and answers from where they are kept: SEFAZ and SINIR.
What comes in: a certificate or a token, keys, numbers, an establishment; a clock, a sleep, a line to send on.
What goes out: the bytes of documents as they were given, and what SEFAZ said of a key (`Consulted`)."""
