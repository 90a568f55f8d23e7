import { amountOf } from './schemas.ts'
import { isTree, Refused, type Store, type Stored, type Tree } from './store.ts'

const tree = (value: unknown): Tree => (isTree(value) ? value : {})
const trees = (value: unknown): Tree[] =>
  Array.isArray(value) ? value.filter((one) => isTree(one)) : []

/** What keeps a pod out of a namespace that asks for the profile `restricted` (Pod Security Standards). */
export function restrictedProblems(pod: Stored): string[] {
  const spec = tree(pod.spec)
  const whole = tree(spec.securityContext)
  const problems: string[] = []
  for (const shared of ['hostNetwork', 'hostPID', 'hostIPC'])
    if (spec[shared] === true) problems.push(shared)
  for (const volume of trees(spec.volumes)) if (volume.hostPath) problems.push('hostPath volumes')
  for (const container of [...trees(spec.containers), ...trees(spec.initContainers)]) {
    const own = tree(container.securityContext)
    const said = (field: string) => own[field] ?? whole[field]
    const profile = tree(said('seccompProfile')).type
    const dropped = tree(own.capabilities).drop
    if (own.privileged === true) problems.push('privileged')
    if (own.allowPrivilegeEscalation !== false) problems.push('allowPrivilegeEscalation != false')
    if (said('runAsNonRoot') !== true) problems.push('runAsNonRoot != true')
    if (said('runAsUser') === 0) problems.push('runAsUser=0')
    if (profile !== 'RuntimeDefault' && profile !== 'Localhost') problems.push('seccompProfile')
    if (!Array.isArray(dropped) || !dropped.includes('ALL'))
      problems.push('unrestricted capabilities')
  }
  return problems
}

/** Containers that start first and stay. */
const beside = (pod: Stored): Tree[] =>
  trees(tree(pod.spec).initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always')

/** What a new pod must have to come into its namespace. @throws Refused */
export function admitPod(store: Store, pod: Stored): void {
  const { namespace = '', name } = pod.metadata
  const home = store.get('Namespace', undefined, namespace)
  if (home.metadata.labels?.['pod-security.kubernetes.io/enforce'] === 'restricted') {
    const problems = restrictedProblems(pod)
    if (problems.length > 0)
      throw new Refused(
        403,
        'Forbidden',
        `pods "${name}" is forbidden: violates PodSecurity "restricted:latest": ${problems.join(', ')}`,
      )
  }
  const ended = ['Failed', 'Succeeded']
  const running = store
    .list('Pod', namespace)
    .filter(({ status }) => !ended.includes(String(tree(status).phase)))
  const all = [...running, pod]
  const limitOf = (one: Stored, what: string) =>
    [...trees(tree(one.spec).containers), ...beside(one)]
      .map(({ resources }) => tree(tree(resources).limits)[what])
      .reduce<number>((sum, value) => sum + amountOf(value ?? 0), 0)
  for (const quota of store.list('ResourceQuota', namespace)) {
    const hard = tree(tree(quota.spec).hard)
    const used: Record<string, number> = {
      pods: all.length,
      'limits.cpu': all.reduce((sum, one) => sum + limitOf(one, 'cpu'), 0),
      'limits.memory': all.reduce((sum, one) => sum + limitOf(one, 'memory'), 0),
    }
    for (const [what, amount] of Object.entries(used))
      if (hard[what] !== undefined && amount > amountOf(hard[what]))
        throw new Refused(403, 'Forbidden', `pods "${name}" is forbidden: exceeded quota: ${what}`)
  }
}

/** A rule of a ClusterRole. */
export type Rule = { apiGroups: string[]; resources: string[]; verbs: string[] }

/** @throws Refused */
export function authorize(
  rules: readonly Rule[],
  { group, resource, verb }: { group: string; resource: string; verb: string },
): void {
  const allowed = rules.some(
    (rule) =>
      rule.apiGroups.includes(group) &&
      rule.resources.includes(resource) &&
      rule.verbs.includes(verb),
  )
  if (!allowed)
    throw new Refused(
      403,
      'Forbidden',
      `${resource} is forbidden: the platform cannot ${verb} resource "${resource}" in API group "${group}"`,
    )
}
