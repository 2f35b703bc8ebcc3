"""How people get in and stay in: log-in, links of invitations, second factors, and the proof that it is still them.

log_in_pages   the pages            guard            who fails too often waits
sessions       log-ins under way    invitations      a link by which a person sets a password
second_factor  TOTP                 proof.demand     asked by every verb that moves money or access
"""
