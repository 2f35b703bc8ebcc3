"""How people and tokens stand on record: a row that somebody wrote past Potline opens nothing.

`standing` reads and writes the marked record, `vouched` asks it of people at each log-in and each act, `not_on_record`
tells, and `vouching` puts on record what an upgrade or a lost secret has left (`manage.py vouch`).
"""
