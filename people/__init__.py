"""Premises, users, who may do what where, two-person approvals and the audit trail."""
