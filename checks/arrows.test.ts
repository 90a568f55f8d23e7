import { expect, test } from 'vitest'
import {
  featuresThatKnowEachOther,
  wholeContractInDashboard,
  wrongArrows,
  wrongLayers,
} from './arrows.ts'
import { readSources } from './sources.ts'

const sources = readSources()
const file = (path: string, imported: string) => ({ path, text: `import { x } from '${imported}'` })

test('rooms import only along the arrows', () => {
  expect(wrongArrows(sources)).toEqual([])
})

test('features do not know each other', () => {
  expect(featuresThatKnowEachOther(sources)).toEqual([])
})

test('the layers of the dashboard go one way', () => {
  expect(wrongLayers(sources)).toEqual([])
})

test('the dashboard imports the endpoints of a feature, not those of all', () => {
  expect(wholeContractInDashboard(sources)).toEqual([])
  const page = file('dashboard/session/a.ts', '#contract/api')
  expect(wholeContractInDashboard([page])).toEqual(['dashboard/session/a.ts -> contract/api'])
})

test.each([
  ['kit/a.ts', '#data-plane/rest/rest'],
  ['contract/a.ts', '../kit/errors.ts'],
  ['dashboard/ui/a.tsx', '../../kit/ids.ts'],
  ['control-plane/projects/projects/a.ts', '#compute/local/local'],
  ['data-plane/auth/a.ts', '#start/program'],
])('an import of %s -> %s is found', (path, imported) => {
  expect(wrongArrows([file(path, imported)])).toHaveLength(1)
})

test.each(['#compute/provider', '#compute/checked'])('the door %s is open', (door) => {
  expect(wrongArrows([file('control-plane/projects/projects/a.ts', door)])).toEqual([])
})

test.each([
  ['control-plane/projects/projects/a.ts', '../organizations/store.ts'],
  ['data-plane/rest/a.ts', '#data-plane/auth/jwt'],
  ['dashboard/features/projects/projects/a.tsx', '../organizations/queries.ts'],
])('features that know each other are found: %s -> %s', (path, imported) => {
  expect(featuresThatKnowEachOther([file(path, imported)])).toHaveLength(1)
})

test.each([
  ['dashboard/ui/a.tsx', '../session/auth.ts'],
  ['dashboard/session/a.ts', '../features/projects/queries.ts'],
  ['dashboard/features/projects/projects/a.tsx', '../../../shell/Frame.tsx'],
])('a layer used from below is found: %s -> %s', (path, imported) => {
  expect(wrongLayers([file(path, imported)])).toHaveLength(1)
})
