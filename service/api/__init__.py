"""The routes, one module for each thing that they are about; `ROUTES` is all of them."""
