"""What a person meets: the command line, the Textual screens, and the words of both languages."""
