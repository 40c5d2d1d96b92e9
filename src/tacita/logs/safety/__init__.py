"""Whether an anonymised log keeps what it promises: recounted from the two logs, whatever method made it.

In come the original, its topics and what was made of it; out comes a :class:`LogCertificate`. Read ``log_certificate.py`` first.
"""
