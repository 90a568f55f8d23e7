import {
  authoritySecretOf,
  clusterLabel,
  restartAnnotation,
  serviceOf,
  type Cluster,
} from '../../kubernetes/objects.ts'
import type { New, Stored } from './store.ts'

/** On pods and volumes: they are there until what they stand for has ended. */
export const heldBy = 'testing/kubelet'

type Home = { name: string; namespace: string }
const base = (kind: string, { name, namespace }: Home, own: string) => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: own, namespace, labels: { [clusterLabel]: name } },
})

const restricted = () => ({
  allowPrivilegeEscalation: false,
  privileged: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
})

/** The pod of a job that brought no data back. */
export const failedJobOf = (home: Home, attempt: number): New => {
  const whole = base('Pod', home, `${home.name}-1-full-recovery-${attempt}`)
  const labels = { ...whole.metadata.labels, 'cnpg.io/jobRole': 'full-recovery' }
  return {
    ...whole,
    metadata: { ...whole.metadata, labels },
    spec: { containers: [{ name: 'full-recovery', image: 'the operator has one' }] },
    status: { phase: 'Failed' },
  }
}

/** The pod that the operator makes of a Cluster. */
export function podOf(
  home: Home,
  { spec, metadata }: Cluster,
  address: string,
  /** What the plugin's own container needs; undefined: the Cluster archives nothing. */
  sidecar?: object,
): New {
  const stamp = metadata.annotations?.[restartAnnotation]
  const whole = base('Pod', home, `${home.name}-1`)
  return {
    ...whole,
    metadata: {
      ...whole.metadata,
      finalizers: [heldBy],
      ...(stamp !== undefined && { annotations: { [restartAnnotation]: stamp } }),
    },
    spec: {
      serviceAccountName: home.name,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 26,
        runAsGroup: 26,
        fsGroup: 26,
        seccompProfile: spec.seccompProfile,
      },
      containers: [
        {
          name: 'postgres',
          image: spec.imageName ?? 'the operator has one',
          resources: spec.resources,
          securityContext: restricted(),
        },
      ],
      ...(sidecar && {
        initContainers: [
          {
            name: 'plugin-barman-cloud',
            image: 'the plugin has one',
            restartPolicy: 'Always',
            resources: sidecar,
            securityContext: restricted(),
          },
        ],
      }),
    },
    status: {
      phase: 'Running',
      podIP: address,
      containerStatuses: [{ name: 'postgres', restartCount: 0, state: { running: {} } }],
    },
  }
}

export const volumeOf = (home: Home): New => {
  const whole = base('PersistentVolumeClaim', home, `${home.name}-1`)
  return { ...whole, metadata: { ...whole.metadata, finalizers: [heldBy] } }
}

export const servicesOf = (home: Home, address: string): New[] => [
  {
    ...base('Service', home, serviceOf(home.name)),
    spec: {
      type: 'ClusterIP',
      clusterIP: address,
      ports: [{ name: 'postgres', port: 5432, protocol: 'TCP' }],
    },
  },
]

export const authorityOf = (home: Home, certificate: string): New => ({
  ...base('Secret', home, authoritySecretOf(home.name)),
  type: 'Opaque',
  data: { 'ca.crt': Buffer.from(certificate).toString('base64') },
})

/** Whether a pod is what the Cluster orders now. */
export function isOutdated(pod: Stored, wanted: New): boolean {
  const shape = (one: New | Stored) =>
    JSON.stringify([one.spec, one.metadata.annotations?.[restartAnnotation]])
  return shape(pod) !== shape(wanted)
}
