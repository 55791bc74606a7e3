"""What a store keeps of the people of a laboratory: accounts, keys, invitations, panels, presence, the audit trail."""
