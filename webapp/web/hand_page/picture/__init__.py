"""Pictures of finished hands and of tables, as chats show them beside a link."""
