"""Three agents decide where to meet, with the public MACP SDK (macp-sdk-python)."""

import os

from macp_sdk import AuthConfig, DecisionSession, MacpClient

target = os.environ.get("PROFFER_GRPC", "127.0.0.1:50051")

# What each agent knows, and no other: its fare to Berlin. An agent is for it up to 100.
fares = {"lead": 90, "ann": 120, "bob": 60}


def connect(name):
    auth = AuthConfig.for_dev_agent(name)
    return MacpClient(target=target, allow_insecure=True, auth=auth)


client = connect("lead")
session = DecisionSession(client)
session.start(intent="Where do we meet?", participants=list(fares), ttl_ms=60_000)
session.propose("berlin", "Berlin", rationale="it is near")

for name, fare in fares.items():
    vote = "approve" if fare <= 100 else "reject"
    auth = AuthConfig.for_dev_agent(name)
    session.vote("berlin", vote, reason=f"the fare is {fare}", sender=name, auth=auth)
    print(name, "votes", vote)

approvals = session.projection.vote_totals().get("berlin", 0)
is_agreed = approvals > len(fares) / 2
session.commit(
    action="meeting.berlin",
    authority_scope="team",
    reason=f"{approvals} of {len(fares)} are for it",
    outcome_positive=is_agreed,
)
print("Committed" if is_agreed else "Not this city")
client.close()
