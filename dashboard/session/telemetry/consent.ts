import { create } from 'zustand'
import {
  consent as api,
  essentialIds,
  serviceIds,
  type ConsentDecision,
} from '#contract/people/consent'
import { call, messageOf } from '../../api/client.ts'
import { toast } from '../../ui/floats/toast.ts'
import { currentSession } from '../identity/auth.ts'

/** What the person said to each use of their data; what is not in it is denied. */
type Decisions = Record<string, boolean>

/**
 * The decision as this browser remembers it. `browser`: made while nobody was signed in, and for whoever signs in next;
 * `person`: a copy of what the server holds for the person; `left`: that person has signed out, and their yes with them.
 */
type Kept = { decisions: Decisions; of: (typeof holders)[number] }
const holders = ['browser', 'person', 'left'] as const

type State = {
  decisions: Decisions
  /** The question at the bottom of the window is open. */
  asking: boolean
  settingsOpen: boolean
}

export const consentKey = 'plinth.consent'

/** Undecided until told otherwise: nothing is sent. */
export const useConsent = create<State>()(() => ({
  decisions: {},
  asking: false,
  settingsOpen: false,
}))

export const hasConsented = (service: string): boolean =>
  useConsent.getState().decisions[service] === true

export const openPrivacySettings = () => useConsent.setState({ settingsOpen: true })
export const closePrivacySettings = () => useConsent.setState({ settingsOpen: false })

export const acceptAll = () => decideAll(true)
export const denyAll = () => decideAll(false)

/** Says yes or no to everything that is not essential. When that cannot be kept, the question is asked again. */
async function decideAll(status: boolean): Promise<void> {
  useConsent.setState({ asking: false })
  // No is no at once, whether or not it can be written down.
  if (!status) apply({})
  const before = localStorage.getItem(consentKey)
  const services = Object.values(serviceIds).map((id) => ({
    id,
    status: status || essentialIds.includes(id),
  }))
  // Whoever leaves the page right away has answered all the same: the next page takes it from here to the server.
  remember({ decisions: decisionsOf(services), of: 'browser' })
  try {
    await keep(services)
  } catch (error) {
    if (before === null) localStorage.removeItem(consentKey)
    else localStorage.setItem(consentKey, before)
    useConsent.setState({ asking: true })
    toast.error('Your choice could not be saved', { description: messageOf(error), id: consentKey })
  }
}

/** Says yes or no to each service by itself. Throws the CallError of what could not be kept. */
export async function updateServices(decisions: ConsentDecision[]): Promise<void> {
  await keep(decisions)
  useConsent.setState({ asking: false })
}

async function keep(services: ConsentDecision[]): Promise<void> {
  const here = presence
  const signedIn = (await currentSession()) !== null
  if (signedIn) await call(api.decide, { decisions: services })
  if (here !== presence) return
  const decisions = decisionsOf(services)
  remember({ decisions, of: signedIn ? 'person' : 'browser' })
  apply(decisions)
}

const decisionsOf = (services: readonly ConsentDecision[]): Decisions =>
  Object.fromEntries(services.map(({ id, status }) => [id, status]))

function apply(decisions: Decisions): void {
  useConsent.setState({ decisions })
  if (decisions[serviceIds.productUse] !== true) forgetTelemetryCookie()
}

/** Counts who came and went: what the server answers about somebody who has left since is nobody's decision any more. */
let presence = 0

/** Asks, unless this browser or the person has answered before. Run when the page starts and when somebody comes or goes. */
export async function loadConsent(signedIn: boolean): Promise<void> {
  presence += 1
  const here = presence
  const kept = recall()
  if (!signedIn) {
    // A person's own answer left with them. Nothing is sent then, so that there is nothing to ask either.
    if (kept?.of === 'person') remember({ decisions: {}, of: 'left' })
    apply(kept?.of === 'browser' ? kept.decisions : {})
    useConsent.setState({ asking: kept === undefined })
    return
  }
  // Good to go on with until the server has said it again.
  if (kept?.of === 'person') apply(kept.decisions)
  try {
    // Said in this browser just before signing in: newer than anything the server knows.
    if (kept?.of === 'browser') {
      const services = Object.entries(kept.decisions).map(([id, status]) => ({ id, status }))
      return await updateServices(services)
    }
    const { decided_at, categories } = await call(api.get, {})
    if (here !== presence) return
    const services = categories.flatMap((category) => category.services)
    const decisions = Object.fromEntries(services.map((s) => [s.id, s.consent.status]))
    if (decided_at === null) return useConsent.setState({ asking: true })
    remember({ decisions, of: 'person' })
    apply(decisions)
    useConsent.setState({ asking: false })
  } catch {
    if (here !== presence) return
    // Not known what the person said: as if they had not. What this browser holds from before is good enough to go on with.
    apply(kept?.decisions ?? {})
    useConsent.setState({ asking: kept === undefined })
  }
}

function remember(kept: Kept): void {
  localStorage.setItem(consentKey, JSON.stringify(kept))
}

/** What this browser remembers; nothing when that is not what we wrote. */
function recall(): Kept | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(consentKey) ?? 'null')
    return isKept(stored) ? stored : undefined
  } catch {
    return undefined // not JSON: not ours
  }
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  'of' in value &&
  holders.some((holder) => holder === value.of) &&
  'decisions' in value &&
  typeof value.decisions === 'object' &&
  value.decisions !== null &&
  Object.values(value.decisions).every((status) => typeof status === 'boolean')

const name = 'plinth_telemetry'
const year = 365 * 24 * 60 * 60

/** The random value that ties the events of this browser together; made with the first event after consent. */
export function telemetryId(): string {
  const found = new RegExp(`(?:^|; )${name}=([\\w-]{36})(?:;|$)`).exec(document.cookie)?.[1]
  const id = found ?? crypto.randomUUID()
  if (!found) write(id, year)
  return id
}

/** Denying consent clears it (requirements §4). */
const forgetTelemetryCookie = () => write('', 0)

function write(value: string, maxAge: number): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${name}=${value}; path=/; max-age=${maxAge}; samesite=lax${secure}`
}
