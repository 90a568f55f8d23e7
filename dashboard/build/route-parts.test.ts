import { expect, test } from 'vitest'
import { partsByAddress, type BuiltPart } from './route-parts.ts'

const part = (fileName: string, more: Partial<BuiltPart> = {}): BuiltPart => ({
  fileName,
  isEntry: false,
  imports: [],
  moduleIds: [],
  css: [],
  ...more,
})
const route = (file: string) => [
  `/somewhere/dashboard/routes/${file}.tsx?tsr-split=component---loader`,
]

const built = [
  part('index.js', { isEntry: true, imports: ['libraries.js'], css: ['index.css'] }),
  part('libraries.js'),
  part('frame.js', { imports: ['libraries.js'], css: ['frame.css'] }),
  part('_app.js', { moduleIds: route('_app'), imports: ['frame.js', 'index.js'] }),
  part('org.js', { moduleIds: route('_app/org.$slug') }),
  part('team.js', { moduleIds: route('_app/org.$slug/team'), imports: ['table.js'] }),
  part('home.js', { moduleIds: route('_app/org.$slug/_settings/index') }),
  part('table.js', { imports: ['table.js', 'libraries.js'], css: ['table.css'] }),
  part('lazy.js'),
]

test('a page needs its own parts and those of the frames around it, and nothing of the first load', () => {
  const found = partsByAddress(built)
  expect(found['/org/:slug/team']).toEqual([
    '_app.js',
    'frame.css',
    'frame.js',
    'org.js',
    'table.css',
    'table.js',
    'team.js',
  ])
})

test('groups and index are no part of an address', () => {
  const names = Object.keys(partsByAddress(built))
  expect(names).toEqual(['/org/:slug', '/org/:slug/team'])
  expect(partsByAddress(built)['/org/:slug']).toContain('home.js')
})
