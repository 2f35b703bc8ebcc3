"""The dealer's page: a tablet that a supervisor hands over becomes the table's terminal. Its script is in
static/tables/round."""
