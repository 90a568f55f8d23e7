import { BlockList } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'

const objectName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be a name of Kubernetes')

/** As a network policy takes it. */
function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/')
  if (!/^\d{1,3}$/.test(bits) || more.length > 0) return false
  try {
    new BlockList().addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
    return true
  } catch {
    return false
  }
}
const entriesOf = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

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
  PLINTH_KUBERNETES_BACKUP_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  PLINTH_KUBERNETES_BACKUP_ENDPOINT: z
    .string()
    .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
      message: 'must start with http:// or https://',
    })
    .optional(),
  PLINTH_KUBERNETES_BACKUP_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a region')
    .optional(),
  PLINTH_KUBERNETES_BACKUP_PREFIX: z
    .string()
    .regex(/^[\w.-]+(?:\/[\w.-]+)*$/, 'must be names joined by slashes')
    .optional(),
  PLINTH_KUBERNETES_BACKUP_CREDENTIALS: objectName.optional(),
  PLINTH_KUBERNETES_BACKUP_NETWORKS: z
    .string()
    .refine((value) => entriesOf(value).every(isNetwork), {
      message: 'must be ranges such as 192.0.2.0/24, joined by commas',
    })
    .optional(),
  PLINTH_KUBERNETES_DNS_NAMESPACE: objectName.default('kube-system'),
}
type Environment = z.infer<z.ZodObject<typeof kubernetesEnvironment>>

/** What is wrong with the settings together; undefined when nothing is. */
export function kubernetesProblem(e: Environment): string | undefined {
  const needed = [
    'PLINTH_KUBERNETES_BACKUP_CREDENTIALS',
    'PLINTH_KUBERNETES_BACKUP_NETWORKS',
  ] as const
  if (e.PLINTH_KUBERNETES_BACKUP_BUCKET) {
    const missing = needed.find((name) => !e[name])
    return missing && `${missing}: must be set together with PLINTH_KUBERNETES_BACKUP_BUCKET`
  }
  const alone = Object.entries(e).find(
    ([name, value]) => name.startsWith('PLINTH_KUBERNETES_BACKUP_') && value !== undefined,
  )
  return alone && `PLINTH_KUBERNETES_BACKUP_BUCKET: must be set together with ${alone[0]}`
}

/** The bucket that backups go to; undefined: there are none. */
const backupSettings = (e: Environment) =>
  e.PLINTH_KUBERNETES_BACKUP_BUCKET && e.PLINTH_KUBERNETES_BACKUP_CREDENTIALS
    ? {
        bucket: e.PLINTH_KUBERNETES_BACKUP_BUCKET,
        endpoint: e.PLINTH_KUBERNETES_BACKUP_ENDPOINT,
        region: e.PLINTH_KUBERNETES_BACKUP_REGION ?? 'us-east-1',
        prefix: e.PLINTH_KUBERNETES_BACKUP_PREFIX,
        /** The Secret with its key, in the namespace of the platform. */
        secret: e.PLINTH_KUBERNETES_BACKUP_CREDENTIALS,
        /** Ranges in which it is: pods of projects reach nothing else. */
        networks: entriesOf(e.PLINTH_KUBERNETES_BACKUP_NETWORKS ?? ''),
        dnsNamespace: e.PLINTH_KUBERNETES_DNS_NAMESPACE,
      }
    : undefined

/** How the databases of projects run in a cluster. */
export const kubernetesSettings = (e: Environment) => ({
  /** A file that says where the cluster is; undefined: where this program runs, or the user's own. */
  kubeconfig: e.PLINTH_KUBECONFIG && resolve(e.PLINTH_KUBECONFIG),
  image: e.PLINTH_KUBERNETES_IMAGE,
  storage: e.PLINTH_KUBERNETES_STORAGE,
  storageClass: e.PLINTH_KUBERNETES_STORAGE_CLASS,
  platformNamespace: e.PLINTH_KUBERNETES_NAMESPACE,
  operatorNamespace: e.PLINTH_KUBERNETES_OPERATOR_NAMESPACE,
  backups: backupSettings(e),
})
