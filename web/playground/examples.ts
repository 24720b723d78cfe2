/** A tab of the playground. */
interface Example {
  readonly query: string;
  readonly variables?: string;
}

/** What the examples read: a DID, its number, its address of record, and its gateway. */
export interface Subjects {
  readonly did: string;
  readonly telUrl: string;
  readonly aorLink: string;
  readonly gateway: string;
}

/** The subjects of the sample data. */
export const SAMPLE: Subjects = {
  did: 'dd50baa4',
  telUrl: 'tel:0000000000',
  aorLink: 'sip:1001@sip.local',
  gateway: 'gweef506',
};

/** The initial tabs of the playground, which read what exists. */
export function examplesOf({ did, telUrl, aorLink, gateway }: Subjects): readonly Example[] {
  // By functions, because `$&` and the like in a text would stand for other texts.
  const put = (text: string): string =>
    text
      .replaceAll(SAMPLE.did, () => did)
      .replaceAll(SAMPLE.telUrl, () => telUrl)
      .replaceAll(SAMPLE.aorLink, () => aorLink)
      .replaceAll(SAMPLE.gateway, () => gateway);
  return EXAMPLES.map(({ query, variables }) => ({
    query: put(query),
    ...(variables !== undefined && { variables: put(variables) }),
  }));
}

const EXAMPLES: readonly Example[] = [
  {
    query: `# Read a DID with its gateway and its target in one request.
# To run it, press Ctrl+Enter or the button on the right.
query DidResolvesItsGateway {
  did(ref: "dd50baa4") {
    telUrl
    aorLink
    gateway {
      ref
      name
      host
      transport
    }
    target {
      ... on Agent {
        name
        contacts {
          uri
          expiresOn
        }
      }
    }
  }
}
`,
  },
  {
    query: `# Read a gateway with its registration and its numbers.
query GatewayWithNumbers($ref: String!) {
  gateway(ref: $ref) {
    name
    host
    registration {
      ip
      port
      registeredOn
      expiresOn
    }
    numbers(first: 10) {
      totalCount
      nodes {
        telUrl
        aorLink
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
`,
    variables: '{\n  "ref": "gweef506"\n}',
  },
  {
    query: `# Create a DID on a gateway. The response contains the new resource with its links.
# The second run fails with a conflict: see the next tab.
mutation CreateDid($input: CreateDIDInput!) {
  createDID(input: $input) {
    ref
    telUrl
    gateway {
      name
    }
  }
}
`,
    variables: `{
  "input": {
    "gatewayRef": "gweef506",
    "telUrl": "tel:+17066041499",
    "aorLink": "sip:1001@sip.local",
    "geoInfo": { "city": "Columbus", "country": "USA", "countryISOCode": "US" }
  }
}`,
  },
  {
    query: `# A DID with this number already exists. The error has a machine-readable code,
# the status of the legacy API, and the fields that caused it.
mutation Conflict {
  createDID(
    input: {
      gatewayRef: "gweef506"
      telUrl: "tel:0000000000"
      aorLink: "sip:1001@sip.local"
    }
  ) {
    ref
  }
}
`,
  },
  {
    query: `# Filter with typed conditions across links and live state, or with the JsonPath of legacy clients, and sort.
query UnreachableNumbers {
  dids(
    where: { gateway: { host: { startsWith: "sip." } }, target: { registered: false } }
    orderBy: [{ field: TEL_URL, direction: DESC }]
  ) {
    totalCount
    nodes {
      telUrl
      aorLink
    }
  }
  gateways(filter: "@.spec.transport=='udp' && @.spec.host=~/sip.*/") {
    nodes {
      name
      host
    }
  }
}
`,
  },
  {
    query: `# Read live state: registered devices, and the registrations of gateways at their providers.
query LiveView {
  contacts {
    totalCount
    nodes {
      addressOfRecord
      uri
      transport
      expiresOn
    }
  }
  gateways {
    nodes {
      name
      registration {
        state
        lastResponse
        nextAttemptAt
        expiresOn
      }
    }
  }
  sipServer {
    reachable
    version
  }
}
`,
  },
  {
    query: `# Find out why a number rings or does not: the path of a call, and its first broken link.
query WhyItRings($telUrl: String!) {
  explainNumber(telUrl: $telUrl) {
    state
    summary
    steps {
      state
      summary
    }
  }
  numberHealth(states: [TARGET_MISSING, NOT_REGISTERED, GATEWAY_NOT_REGISTERED]) {
    totalCount
    nodes {
      telUrl
      state
      summary
    }
  }
}
`,
    variables: '{\n  "telUrl": "tel:0000000000"\n}',
  },
  {
    query: `# Subscribe to changes. Run it, then create or change a resource in another browser tab.
# Each event has the current state of the resource, and a cursor from which a client can resume.
subscription WatchResources {
  resourceChanged {
    event
    kind
    ref
    at
    cursor
    resource {
      ... on DID {
        telUrl
        gateway {
          name
        }
      }
    }
  }
}
`,
  },
  {
    query: `# Who changed what, newest first. To take a change back, send the mutation below the query with the number of its entry.
query History {
  history(first: 10) {
    nodes {
      entry
      at
      event
      kind
      ref
      way
      who {
        username
      }
      changes {
        field
        before
        after
      }
    }
  }
}

mutation TakeBack($entry: ID!) {
  revert(entry: $entry, dryRun: true) {
    event
    kind
    ref
    changes {
      field
      before
      after
    }
  }
}
`,
    variables: '{\n  "entry": "1"\n}',
  },
  {
    query: `# Sign-ins and API tokens of your account. To create a token for a script, send the mutation below the query.
# The token is shown only then. It is accepted wherever the token of a sign-in is.
query Tokens {
  viewer {
    username
    sessions {
      id
      createdOn
      address
      current
    }
  }
  apiTokens {
    ref
    name
    role
    expiresOn
    lastUsedOn
  }
}

mutation CreateToken($name: String!) {
  createApiToken(name: $name, role: VIEWER) {
    token
    apiToken {
      ref
    }
  }
}

mutation DeleteToken($ref: String!) {
  deleteApiToken(ref: $ref)
}
`,
    variables: '{\n  "name": "report",\n  "ref": ""\n}',
  },
  {
    query: `# Webhooks tell other programs what happens, for example that a gateway is lost. Only admins can use them.
query Webhooks {
  webhooks {
    ref
    url
    events
    pausedReason
  }
}

mutation CreateWebhook($url: String!) {
  createWebhook(url: $url, events: [GATEWAY_LOST, GATEWAY_BACK]) {
    secret
    webhook {
      ref
    }
  }
}

mutation PingWebhook($ref: String!) {
  pingWebhook(ref: $ref) {
    delivered
    outcome
  }
}
`,
    variables: '{\n  "url": "https://receiver.example/hook",\n  "ref": ""\n}',
  },
];
