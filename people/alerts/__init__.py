"""Trouble that a person must look at: a room declares a kind (`alerts.declare`) and raises it (`raise_alert`); somebody
whose business it is acknowledges it. `outbox` sends urgent ones by mail and webhook.
"""
