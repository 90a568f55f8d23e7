import type { Log } from '#kit/log'
import type { Backups, Provider, ReadReplicas, RoleLook } from './provider.ts'

/**
 * A provider that looks at the roles of each project after every start of its server, by whatever operation, also when it takes
 * over one that runs. The address is handed out meanwhile: people come in by a port that is open as soon as the server is,
 * so waiting would keep nobody out, and what is found was there all the time before. A superuser loses their
 * rights in the sessions that they have, too. Operations that follow on the same project wait for the look.
 */
export function checkedProvider(
  provider: Provider,
  adminPasswordOf: (ref: string) => Promise<string>,
  log: Log,
  /** Keeps what a look has found, for whoever runs the platform. */
  keep: (ref: string, look: RoleLook) => Promise<void> = () => Promise.resolve(),
): { provider: Provider; settled(): Promise<unknown> } {
  const { checkRoles, backups, replicas, resize, changeVersion } = provider
  if (!checkRoles) return { provider, settled: () => Promise.resolve() }
  const looks = new Set<Promise<void>>()
  async function look(ref: string): Promise<void> {
    try {
      const found = await checkRoles?.(ref, await adminPasswordOf(ref))
      if (found) await keep(ref, found)
    } catch (error) {
      log.error({ err: error, ref }, `The roles of project ${ref} could not be looked at`)
    }
  }
  async function thenLook<T>(ref: string, started: Promise<T>): Promise<T> {
    const result = await started
    const running = look(ref)
    looks.add(running)
    void running.then(() => looks.delete(running))
    return result
  }
  // Whatever is not named here is the provider's own, as it is when it is called.
  const whole: Provider = Object.create(provider)
  const checked: Partial<Provider> = {
    create: (spec) => thenLook(spec.ref, provider.create(spec)),
    start: (ref) => thenLook(ref, provider.start(ref)),
    restart: (ref) => thenLook(ref, provider.restart(ref)),
  }
  if (resize)
    checked.resize = (ref, limits) => thenLook(ref, (provider.resize ?? resize)(ref, limits))
  if (changeVersion)
    checked.changeVersion = (ref, id) =>
      thenLook(ref, (provider.changeVersion ?? changeVersion)(ref, id))
  if (backups) {
    const wholeBackups: Backups = Object.create(backups)
    const checkedBackups: Partial<Backups> = {
      restore: (spec, ...how) => thenLook(spec.ref, backups.restore(spec, ...how)),
      setArchive: (ref, on) => thenLook(ref, backups.setArchive(ref, on)),
    }
    checked.backups = Object.assign(wholeBackups, checkedBackups)
  }
  if (replicas) {
    const wholeReplicas: ReadReplicas = Object.create(replicas)
    checked.replicas = Object.assign(wholeReplicas, {
      promote: (...[key, password, how]: Parameters<ReadReplicas['promote']>) =>
        thenLook(key.ref, replicas.promote(key, password, how)),
    })
  }
  return {
    provider: Object.assign(whole, checked),
    /** Waits for the looks that are under way. */
    settled: () => Promise.all(looks),
  }
}
