"""Apps of CX Agent Studio (CES): their names, and their resources in the words that the engine and the toolbox know."""
