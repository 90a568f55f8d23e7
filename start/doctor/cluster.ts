import type { KubeConfig, KubernetesObject } from '@kubernetes/client-node'
import { accessRules, missingAccess } from '#compute/kubernetes/access'
import { ClusterApiError, openApi, type ClusterApi } from '#compute/kubernetes/api'
import { annotationOf, clusterApi } from '#compute/kubernetes/objects'
import { barmanApi } from '#compute/kubernetes/backups/objects'
import { credentialsIn } from '#compute/kubernetes/backups/place'
import { apiServersOf } from '#compute/kubernetes/project'
import type { Config } from '#kit/config'
import { clusterConfig } from '../platform/cluster-config.ts'
import { lookAtBucket } from './bucket.ts'
import { reasonOf, sayAbout, type Finding, type Say } from './finding.ts'

const cluster = sayAbout('cluster')
const operator = sayAbout('operator')
const backups = sayAbout('backups')
const volumes = sayAbout('volumes')

type Settings = NonNullable<Config['kubernetes']>

/** Milliseconds for which a cluster that cannot be reached is asked again. */
const patienceMs = 3000
const usualClass = 'storageclass.kubernetes.io/is-default-class'

/** The cluster in which the databases of projects are to run. */
export async function lookAtCluster(settings: Settings): Promise<Finding[]> {
  let config: KubeConfig
  try {
    config = await clusterConfig(settings.kubeconfig)
  } catch (error) {
    return [cluster.fail(`its address cannot be read: ${reasonOf(error)}`, 'set PLINTH_KUBECONFIG')]
  }
  const api = await openApi({ config, patienceMs })
  try {
    const missing = await missingAccess(api)
    const count = accessRules.flatMap(({ resources, verbs }) =>
      resources.flatMap(() => verbs),
    ).length
    const access =
      missing.length === 0
        ? [cluster.ok(`the account has the ${count} rights that Plinth needs`)]
        : missing.map((right) =>
            cluster.fail(`the account may not ${right}`, 'give it the rules of docs/kubernetes.md'),
          )
    return [
      ...access,
      ...(await addresses(api)),
      ...(await namespaces(api, settings)),
      await knownFinding(config, operator, clusterApi, 'Cluster', installsOperator),
      ...(await backupFindings(api, config, settings)),
      await storageFinding(api, settings.storageClass),
      await snapshotFinding(api),
    ]
  } catch (error) {
    return [
      cluster.fail(
        reasonOf(error),
        'see that its API server is reached from here, and takes this account',
      ),
    ]
  } finally {
    api.close()
  }
}

/** What a look gives, or undefined where the account may not look. */
async function allowed<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look
  } catch (error) {
    if (error instanceof ClusterApiError && error.status === 403) return undefined
    throw error
  }
}

async function addresses(api: ClusterApi): Promise<Finding[]> {
  const found = await allowed(apiServersOf(api))
  const shown = found?.map(({ address, port }) => `${address} port ${port}`).join(', ')
  return shown === undefined ? [] : [cluster.ok(`its API server: ${shown}`)]
}

async function namespaces(api: ClusterApi, settings: Settings): Promise<Finding[]> {
  const named = [
    [settings.platformNamespace, `kubectl create namespace ${settings.platformNamespace}`],
    [settings.operatorNamespace, 'install CloudNativePG, or set the namespace that it runs in'],
  ] as const
  const findings = named.map(async ([name, todo]) => {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    const found = await allowed(api.find(object).then((one) => one !== undefined))
    if (found === undefined) return []
    return [
      found
        ? cluster.ok(`there is a namespace ${name}`)
        : cluster.fail(`there is no namespace ${name}`, todo),
    ]
  })
  return (await Promise.all(findings)).flat()
}

const installsOperator = 'install CloudNativePG 1.30 or a newer 1.x'
const installsPlugin = 'install the Barman Cloud plugin beside CloudNativePG'

/** Whether objects of an operator are known there, in the version that is written. */
async function knownFinding(
  config: KubeConfig,
  say: Say,
  apiVersion: string,
  wanted: string,
  todo: string,
): Promise<Finding> {
  const { CustomObjectsApi } = await import('@kubernetes/client-node')
  const [group = '', version = ''] = apiVersion.split('/')
  try {
    const asked = config.makeApiClient(CustomObjectsApi).getAPIResources({ group, version })
    const { resources } = await asked
    return resources.some(({ kind }) => kind === wanted)
      ? say.ok(`the cluster knows ${apiVersion}`)
      : say.fail(`the cluster knows no ${wanted} of ${apiVersion}`, todo)
  } catch (error) {
    const code = error instanceof Object && 'code' in error ? error.code : undefined
    return code === 404
      ? say.fail(`the cluster does not know ${apiVersion}`, todo)
      : say.fail(`the cluster does not say whether it knows ${apiVersion}`, todo)
  }
}

/** Where backups of projects go: the plugin that makes them, and the bucket, with the key that the plugin will have. */
async function backupFindings(
  api: ClusterApi,
  config: KubeConfig,
  { backups: place, platformNamespace }: Settings,
): Promise<Finding[]> {
  if (!place)
    return [
      backups.warn(
        'no bucket is set, so projects in the cluster have no backups',
        'set PLINTH_KUBERNETES_BACKUP_BUCKET',
      ),
    ]
  const plugin = await knownFinding(config, backups, barmanApi, 'ObjectStore', installsPlugin)
  try {
    const credentials = await credentialsIn(api, platformNamespace, place.secret)
    const { bucket, endpoint, region, prefix } = place
    const found = await lookAtBucket({ bucket, endpoint, region, prefix, credentials })
    return [plugin, ...found.map((one) => ({ ...one, about: 'backups' }))]
  } catch (error) {
    const todo = `make the Secret ${place.secret} in the namespace ${platformNamespace}`
    return [plugin, backups.fail(reasonOf(error), todo)]
  }
}

async function classesOf(api: ClusterApi, apiVersion: string, kind: string) {
  const found = await allowed(api.list<KubernetesObject>({ apiVersion, kind }))
  return found?.map((one) => ({
    name: one.metadata?.name ?? '',
    isUsual: annotationOf(one, usualClass) === 'true',
  }))
}

async function storageFinding(api: ClusterApi, wanted: string | undefined): Promise<Finding> {
  const found = await classesOf(api, 'storage.k8s.io/v1', 'StorageClass')
  if (!found)
    return volumes.warn(
      'the account may not list storage classes, so nobody knows whether there is one',
      'run this with the kubeconfig of who runs the cluster',
    )
  const names = found.map(({ name }) => name).join(', ') || 'none'
  if (wanted !== undefined)
    return found.some(({ name }) => name === wanted)
      ? volumes.ok(`there is a storage class ${wanted}`)
      : volumes.fail(
          `there is no storage class ${wanted}`,
          `set PLINTH_KUBERNETES_STORAGE_CLASS to one of: ${names}`,
        )
  const usual = found.find(({ isUsual }) => isUsual)
  return usual
    ? volumes.ok(`the usual storage class is ${usual.name}`)
    : volumes.fail(
        'there is no usual storage class',
        `set PLINTH_KUBERNETES_STORAGE_CLASS to one of: ${names}`,
      )
}

/** Nothing of Plinth takes snapshots of volumes yet, so there need not be a class of them. */
async function snapshotFinding(api: ClusterApi): Promise<Finding> {
  const found = await classesOf(api, 'snapshot.storage.k8s.io/v1', 'VolumeSnapshotClass').catch(
    () => undefined,
  )
  const names = found?.map(({ name }) => name).join(', ')
  return volumes.ok(
    names
      ? `snapshot classes, which Plinth does not use yet: ${names}`
      : 'no snapshot classes are seen; Plinth does not use them yet',
  )
}
