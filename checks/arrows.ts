import { join, normalize } from 'node:path'
import { isTestSupport, type Source } from './sources.ts'

/** What each room may import besides itself. This table is the architecture. */
export const arrows: Record<string, string[]> = {
  docs: ['contract', 'kit'],
  contract: [],
  kit: ['contract'],
  compute: ['contract', 'kit'],
  'data-plane': ['contract', 'kit'],
  'control-plane': ['contract', 'kit'],
  dashboard: ['contract'],
  start: ['contract', 'kit', 'compute', 'data-plane', 'control-plane'],
  journeys: ['contract', 'kit', 'compute', 'data-plane', 'control-plane', 'dashboard', 'start'],
  checks: ['contract', 'kit', 'compute', 'data-plane', 'control-plane', 'dashboard', 'start'],
  bench: [
    'contract',
    'kit',
    'compute',
    'data-plane',
    'control-plane',
    'dashboard',
    'start',
    'journeys',
  ],
}

/** Files of a room that another room may know: the control plane orders compute through its interface, and checked. */
const doors = [
  { from: 'control-plane', to: 'compute/provider' },
  { from: 'control-plane', to: 'compute/checked' },
]

/** The whole API in one: a page that imports it makes every page wait for what all the others call. */
const wholeContract = ['contract/api', 'contract/endpoints']

/** The first of the two words that lead to a feature, the same in every room. */
export const areas = [
  'people',
  'organizations',
  'billing',
  'projects',
  'database',
  'data-api',
  'auth',
  'storage',
  'functions',
  'realtime',
  'integrations',
  'observability',
  'assistant',
  'operations',
]

/** Rooms whose features may not import each other, and the folders in them that are no features but common ground. */
const featureRooms = [
  { room: 'control-plane', common: ['platform-database', 'data-plane'], hasAreas: true },
  { room: 'data-plane', common: ['projects', 'mount'], hasAreas: false },
  { room: 'dashboard/features', common: [], hasAreas: true },
]
/** Types that a feature hands to others as functions, and their home. */
const sharedTypes = [
  'control-plane/organizations/audit/audit',
  'control-plane/organizations/audit/chain',
  'control-plane/operations/jobs/store',
  'control-plane/access/access',
  'control-plane/operations/outgoing-mail/outgoing-mail',
]

/** Layers inside the dashboard: each may use what stands after it. */
const dashboardLayers: Record<string, string[]> = {
  ui: [],
  api: [],
  build: [],
  session: ['ui', 'api'],
  modules: ['session', 'ui', 'api'],
  features: ['modules', 'session', 'ui', 'api'],
  shell: ['modules', 'session', 'ui', 'api', 'features'],
  routes: ['shell', 'features', 'modules', 'session', 'ui', 'api'],
}

type Import = { from: string; to: string }

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g

/** '#kit/http' and '../../api/client.ts' both become a path from the root; packages are left out. */
export function importsOf(sources: Source[]): Import[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(importPattern)].flatMap(([, specifier = '']) => {
      const to = specifier.startsWith('#')
        ? specifier.slice(1)
        : specifier.startsWith('.')
          ? normalize(join(path, '..', specifier))
          : undefined
      return to === undefined ? [] : [{ from: path, to: to.replace(/\.tsx?$/, '') }]
    }),
  )
}

const show = ({ from, to }: Import) => `${from} -> ${to}`
const roomOf = (path: string) => path.split('/')[0] ?? ''

export function wrongArrows(sources: Source[]): string[] {
  return importsOf(sources)
    .filter(({ from, to }) => {
      const [room, target] = [roomOf(from), roomOf(to)]
      if (room === target || arrows[room]?.includes(target)) return false
      if (doors.some((door) => door.from === room && to === door.to)) return false
      return !isTestSupport(from)
    })
    .map(show)
}

export function wholeContractInDashboard(sources: Source[]): string[] {
  return importsOf(sources)
    .filter(({ from, to }) => from.startsWith('dashboard/') && wholeContract.includes(to))
    .map(show)
}

function featureOf(path: string): { room: string; feature: string } | undefined {
  for (const { room, common, hasAreas } of featureRooms) {
    if (!path.startsWith(`${room}/`)) continue
    const [first = '', second = '', ...rest] = path.slice(room.length + 1).split('/')
    if (second === '' || common.includes(first)) return undefined
    if (!hasAreas || !areas.includes(first)) return { room, feature: first }
    if (rest.length > 0) return { room, feature: `${first}/${second}` }
  }
  return undefined
}

export function featuresThatKnowEachOther(sources: Source[]): string[] {
  return importsOf(sources)
    .filter(({ from, to }) => {
      const [a, b] = [featureOf(from), featureOf(to)]
      if (!a || !b || a.room !== b.room || a.feature === b.feature) return false
      return !isTestSupport(from) && !sharedTypes.includes(to)
    })
    .map(show)
}

const layerOf = (path: string) =>
  path.startsWith('dashboard/') ? (path.split('/')[1] ?? '') : undefined

export function wrongLayers(sources: Source[]): string[] {
  return importsOf(sources)
    .filter(({ from, to }) => {
      const [layer, target] = [layerOf(from), layerOf(to)]
      if (!layer || !target || layer === target || !dashboardLayers[layer]) return false
      if (isTestSupport(from)) return false
      return dashboardLayers[target] !== undefined && !dashboardLayers[layer].includes(target)
    })
    .map(show)
}
