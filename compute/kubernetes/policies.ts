import { namespaceName, type NetworkPolicy, type Peer } from './objects.ts'

/** An address of the API server of the cluster, as the network sees it. */
export type ApiServer = { address: string; port: number }

export type Neighbours = {
  /** The namespace of the platform: its planes come to the databases. */
  platformNamespace: string
  /** Where the operator runs, which asks its instances how they are. */
  operatorNamespace: string
  apiServers: readonly ApiServer[]
  /** The bucket of the backups, to which each pod sends its own. */
  bucket?: BucketNetwork | undefined
}

export type BucketNetwork = {
  /** Ranges in which it is. */
  networks: readonly string[]
  port: number
  /** Where names are asked for; undefined where the bucket is known by its address. */
  dnsNamespace: string | undefined
}

const inNamespace = (name: string): Peer => ({
  namespaceSelector: { matchLabels: { [namespaceName]: name } },
})
/** What is meant by a range that is everything: the internet, and nothing of what lies inside. */
const inside: Record<string, string[]> = {
  '0.0.0.0/0': [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '198.18.0.0/15',
  ],
  '::/0': ['fc00::/7', 'fe80::/10'],
}
const rangeOf = (cidr: string): Peer => ({
  ipBlock: { cidr, ...(inside[cidr] && { except: inside[cidr] }) },
})
const tcp = (port: number) => [{ protocol: 'TCP' as const, port }]

/**
 * Who may reach the pods of a project, and whom they may reach. The first policy closes everything, both ways: other projects, the
 * platform and its database, the addresses of the machines, 169.254.169.254 and the internet. The second one opens the database to the
 * platform, the operator's question to the operator, and to the pods the API server: the operator's program in each of
 * them learns there what it is to run, and ends its server where it cannot. With backups a third one opens the bucket, and where that
 * has a name also the cluster's names.
 */
export function networkPolicies(
  metadata: { namespace: string; labels: Record<string, string> },
  { platformNamespace, operatorNamespace, apiServers, bucket }: Neighbours,
): NetworkPolicy[] {
  const policy = (name: string, spec: NetworkPolicy['spec']): NetworkPolicy => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { ...metadata, name },
    spec,
  })
  const everyPod = { podSelector: {}, policyTypes: ['Ingress' as const, 'Egress' as const] }
  return [
    policy('closed', everyPod),
    policy('database', {
      ...everyPod,
      ingress: [
        { from: [inNamespace(platformNamespace)], ports: tcp(5432) },
        { from: [inNamespace(operatorNamespace)], ports: tcp(8000) },
      ],
      egress: apiServers.map(({ address, port }) => ({
        to: [{ ipBlock: { cidr: `${address}/${address.includes(':') ? 128 : 32}` } }],
        ports: tcp(port),
      })),
    }),
    ...(bucket ? [policy('backups', { podSelector: {}, ...towards(bucket) })] : []),
  ]
}

const towards = ({ networks, port, dnsNamespace }: BucketNetwork) => ({
  policyTypes: ['Egress' as const],
  egress: [
    { to: networks.map(rangeOf), ports: tcp(port) },
    ...(dnsNamespace === undefined
      ? []
      : [
          {
            to: [inNamespace(dnsNamespace)],
            ports: [{ protocol: 'UDP' as const, port: 53 }, ...tcp(53)],
          },
        ]),
  ],
})
