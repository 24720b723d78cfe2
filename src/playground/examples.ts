/** The documents that the tabs open on; they hold with the sample data. */
export const examples: readonly { readonly query: string; readonly variables?: string }[] = [
  {
    query: `# A DID resolves its gateway, in one request.
# Run it: Ctrl+Enter, or the button on the right.
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
    query: `# A gateway, the numbers that go through it, and whether it is registered now.
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
    query: `# Make a DID on a gateway. The answer is the new resource, with its links.
# Run it twice, and the second time it is a conflict: see the next tab.
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
    query: `# There is a DID with this number already: the answer is an error,
# with a code to program on, the legacy status, and the fields at fault.
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
    query: `# Find anything: the JsonPath of legacy clients, typed conditions across links and live state, and an order.
query NumbersThatRingNowhere {
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
    query: `# Who is registered now: devices here, gateways at their providers, and why one is not.
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
    query: `# Why a number rings or does not: the chain that a call takes, and its first broken link in words.
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
    variables: '{\n  "telUrl": "+1 706 604-1488"\n}',
  },
  {
    query: `# What happens, as it happens. Run it, then make or change something in another tab of the browser:
# each event comes with the resource as it is now, and a cursor to go on from.
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
];
