"""Requests that the house itself makes: to the addresses of its settings, and nowhere else."""

import urllib.request


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Money, secrets and codes are not sent elsewhere because somebody says so."""

    def redirect_request(self, *_: object) -> None:
        """None: the redirect itself is the answer, and that is not a clear one."""


def direct_opener() -> urllib.request.OpenerDirector:
    """What opens an address without a proxy of the environment and without following redirects.

    Where money goes, and whom the house asks who somebody is, is for the settings alone to say.
    """
    return urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects())
