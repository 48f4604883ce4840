"""Parts of a finished hand's page: transcript, preview picture, the tf1 script."""
