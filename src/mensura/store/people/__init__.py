"""Contents of a store on the people of a laboratory: accounts, keys, invitations, panels, presence, the audit trail."""
