"""Where the ledger and its evidence are kept."""
