import { namespaceName, type NetworkPolicy, type Peer } from './objects.ts'

/** An address of the API server of the cluster, as the network sees it. */
export type ApiServer = { address: string; port: number }

export type Neighbours = {
  /** The namespace of the platform: its planes come to the databases. */
  platformNamespace: string
  /** Where the operator runs, which asks its instances how they are. */
  operatorNamespace: string
  apiServers: readonly ApiServer[]
}

const inNamespace = (name: string): Peer => ({
  namespaceSelector: { matchLabels: { [namespaceName]: name } },
})
const tcp = (port: number) => [{ protocol: 'TCP' as const, port }]

/**
 * Who may reach the pods of a project, and whom they may reach. The first policy closes everything, both ways: other projects, the
 * platform and its database, the addresses of the machines, 169.254.169.254 and the internet. The second one opens the database to the
 * platform, the operator's question to the operator, and to the pods the API server: the operator's program in each of
 * them learns there what it is to run, and ends its server where it cannot.
 */
export function networkPolicies(
  metadata: { namespace: string; labels: Record<string, string> },
  { platformNamespace, operatorNamespace, apiServers }: Neighbours,
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
  ]
}
