import { resolve } from 'node:path'
import { z } from 'zod'

const objectName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be a name of Kubernetes')

export const kubernetesEnvironment = {
  PLINTH_KUBECONFIG: z.string().min(1).optional(),
  PLINTH_KUBERNETES_IMAGE: z.string().regex(/^\S+$/, 'must be an image').optional(),
  PLINTH_KUBERNETES_STORAGE: z
    .string()
    .regex(/^[1-9]\d*(?:Mi|Gi|Ti)$/, 'must be a size such as 10Gi')
    .default('10Gi'),
  PLINTH_KUBERNETES_STORAGE_CLASS: objectName.optional(),
  PLINTH_KUBERNETES_NAMESPACE: objectName.default('plinth'),
  PLINTH_KUBERNETES_OPERATOR_NAMESPACE: objectName.default('cnpg-system'),
}
type Environment = z.infer<z.ZodObject<typeof kubernetesEnvironment>>

/** How the databases of projects run in a cluster. */
export const kubernetesSettings = (e: Environment) => ({
  /** A file that says where the cluster is; undefined: where this program runs, or the user's own. */
  kubeconfig: e.PLINTH_KUBECONFIG && resolve(e.PLINTH_KUBECONFIG),
  image: e.PLINTH_KUBERNETES_IMAGE,
  storage: e.PLINTH_KUBERNETES_STORAGE,
  storageClass: e.PLINTH_KUBERNETES_STORAGE_CLASS,
  platformNamespace: e.PLINTH_KUBERNETES_NAMESPACE,
  operatorNamespace: e.PLINTH_KUBERNETES_OPERATOR_NAMESPACE,
})
