"""What somebody does by saying something: asks for it, asks about it, takes it back."""
