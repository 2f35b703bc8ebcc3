"""What several games share and no rulebook owns: reading hands by seat, naming them, common faults."""
