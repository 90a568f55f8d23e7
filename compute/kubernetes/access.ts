import type { KubernetesObject } from '@kubernetes/client-node'
import type { ClusterApi } from './api.ts'

/**
 * What the platform's service account may do, as the rules of a ClusterRole: everything that the provider asks for, and nothing
 * more. The API server of the tests refuses all else.
 */
export const accessRules = [
  {
    apiGroups: [''],
    resources: ['namespaces'],
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
  },
  { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'patch'] },
  { apiGroups: [''], resources: ['resourcequotas'], verbs: ['get', 'create', 'patch'] },
  { apiGroups: [''], resources: ['services'], verbs: ['get'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
  { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list'] },
  {
    apiGroups: ['networking.k8s.io'],
    resources: ['networkpolicies'],
    verbs: ['get', 'create', 'patch'],
  },
  {
    apiGroups: ['postgresql.cnpg.io'],
    resources: ['clusters'],
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
  },
  {
    apiGroups: ['postgresql.cnpg.io'],
    resources: ['backups'],
    verbs: ['get', 'watch', 'create', 'delete'],
  },
  {
    apiGroups: ['barmancloud.cnpg.io'],
    resources: ['objectstores'],
    verbs: ['get', 'create', 'patch'],
  },
]

type Review = KubernetesObject & { status?: { allowed: boolean } }

/** What the cluster does not let the platform do of that, in words. */
export async function missingAccess(api: ClusterApi): Promise<string[]> {
  const missing: string[] = []
  for (const { apiGroups, resources, verbs } of accessRules)
    for (const group of apiGroups)
      for (const resource of resources)
        for (const verb of verbs) {
          const [of = '', subresource] = resource.split('/')
          const attributes = { group, resource: of, ...(subresource && { subresource }), verb }
          const review = {
            apiVersion: 'authorization.k8s.io/v1',
            kind: 'SelfSubjectAccessReview',
            spec: { resourceAttributes: attributes },
          }
          const { status } = await api.create<Review>(review)
          if (status?.allowed !== true) missing.push(`${verb} ${resource}${group && `.${group}`}`)
        }
  return missing
}
