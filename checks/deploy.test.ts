import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig, settingNames } from '#kit/config'
import { root } from '#kit/root'
import { commandVariables } from '../docs/build/settings-guide.ts'

const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
/** Of the folder itself, and those of the chart below it. */
const entries = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => relative(join(root, 'deploy'), join(parentPath, name)))
const files = entries.filter((path) => !path.includes('/'))
const known = new Set([...settingNames, ...Object.keys(commandVariables), 'NODE_ENV'])
const { PORT, PROJECT_PORT } = variablesIn(read('plinth.env'))

/** NAME=value at the beginning of a line, as systemd reads it; what is commented out too. */
function variablesIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^#?([A-Z][A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replace(/^"(.*)"$/, '$1'),
    ]),
  )
}

const Compose = z.object({
  services: z.object({
    plinth: z.object({
      build: z.object({ context: z.literal('..'), dockerfile: z.string() }),
      environment: z.record(z.string(), z.string()),
      ports: z.array(z.string()),
      volumes: z.array(z.string()),
    }),
  }),
  volumes: z.object({ home: z.null() }),
})
const { plinth } = Compose.parse(parse(read('compose.yaml'))).services

test.each(entries)('%s has settings only that there are', (name) => {
  const named = [...read(name).matchAll(/\bPLINTH_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([one]) => one)
  expect(named.filter((one) => !known.has(one))).toEqual([])
})

test('the settings of the example are accepted, those that are commented out too', () => {
  const variables = variablesIn(read('plinth.env'))
  expect(Object.keys(variables).filter((name) => !known.has(name))).toEqual([])
  const filledIn = {
    PLINTH_S3_ACCESS_KEY_ID: 'id',
    PLINTH_S3_SECRET_ACCESS_KEY: 'secret',
  }
  expect(readConfig({ ...variables, ...filledIn })).toMatchObject({
    listenPorts: undefined,
    localMailbox: false,
    mailFrom: 'Plinth <no-reply@example.com>',
    storageBucket: { bucket: 'plinth' },
    trustedProxies: ['127.0.0.1', '::1'],
  })
})

test('the composition builds our file, and its settings are accepted', () => {
  expect(existsSync(join(root, plinth.build.dockerfile))).toBe(true)
  expect(Object.keys(plinth.environment).filter((name) => !known.has(name))).toEqual([])
  const environment = Object.fromEntries(
    Object.entries(plinth.environment).map(([name, value]) => [
      name,
      value.replace(/\$\{\w+:-(.*)\}/, '$1'),
    ]),
  )
  expect(readConfig(environment)).toMatchObject({ projectUrl: 'http://localhost:8001/{ref}' })
  // Nothing but the proxy of the machine is reached from outside.
  expect(plinth.ports).toEqual([`127.0.0.1:${PORT}:8000`, `127.0.0.1:${PROJECT_PORT}:8001`])
})

test('the image has one home, which is a volume and belongs to who runs it', () => {
  const text = read('Containerfile')
  const home = /PLINTH_HOME=(\S+)/.exec(text)?.[1] ?? ''
  expect(text).toContain(`VOLUME ${home}\n`)
  expect(text).toMatch(new RegExp(`install --directory --owner=node --group=node ${home}\n`))
  expect(plinth.volumes).toEqual([`home:${home}`])
  const lastUser = [...text.matchAll(/^USER (\w+)$/gm)].at(-1)?.[1]
  expect(lastUser).toBe('node')
  const from = [...text.matchAll(/^FROM docker\.io\/library\/node:(\d+\.\d+)/gm)].map(([, v]) => v)
  expect(from).toEqual(['20.19', '20.19'])
  const [program = ''] = /dist\/server\/(\w+)\.js/.exec(text)?.slice(1) ?? []
  expect(existsSync(join(root, `start/${program}.ts`))).toBe(true)
  // What is built on the host would be of another machine.
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['node_modules', 'dist', '.plinth']))
})

test.each(['Caddyfile', 'nginx.conf'])(
  '%s leads to both programs, and to nothing internal',
  (name) => {
    const text = read(name)
    expect(text).toContain(`127.0.0.1:${PORT}`)
    expect(text).toContain(`127.0.0.1:${PROJECT_PORT}`)
    expect(text.match(/\/internal\//g)).toHaveLength(2)
    expect(text.match(/\{/g)?.length).toBe(text.match(/\}/g)?.length)
  },
)

const units = files.filter((name) => /\.(?:service|timer)$/.test(name))

test.each(units)('%s is a unit of systemd', (name) => {
  const text = read(name)
  expect(text).toMatch(/^\[Unit\]$/m)
  for (const [, program = ''] of text.matchAll(/\/usr\/bin\/node ([\w./-]+)/g)) {
    expect(existsSync(join(root, program)), program).toBe(true)
  }
})

const verifier = '/usr/bin/systemd-analyze'

test('systemd, where the machine has it, finds nothing in the units', () => {
  const paths = units.map((name) => join(root, 'deploy', name))
  const { stderr } = existsSync(verifier)
    ? spawnSync(verifier, ['verify', ...paths], { encoding: 'utf8' })
    : { stderr: '' }
  const lines = stderr.split('\n').filter((line) => units.some((name) => line.includes(name)))
  // A machine where Node lies elsewhere says this, and nothing about the unit.
  expect(lines.filter((line) => !line.includes('is not executable'))).toEqual([])
})
