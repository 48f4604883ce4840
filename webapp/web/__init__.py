"""What all blueprints share: the visitor, the language, answers as page, fragment or JSON, and refusals."""
