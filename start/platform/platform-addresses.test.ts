import { expect, test } from 'vitest'
import { readConfig } from '#kit/config'
import { platformAddresses } from './platform-addresses.ts'

const of = (environment: Record<string, string>) =>
  platformAddresses(readConfig(environment)).map(({ host, port }) => `${host}:${port}`)

test('both programs, and a database behind a socket is nowhere', () => {
  const socket = 'postgres://x:y@localhost:5432/plinth?host=%2Frun%2Fplatform&port=5432'
  expect(of({ PLATFORM_DATABASE_URL: socket })).toEqual(['127.0.0.1:8000', '127.0.0.1:8001'])
  expect(of({ PLATFORM_DATABASE_URL: 'postgres://x@%2Frun%2Fplatform/plinth' })).toHaveLength(2)
})

test('what the platform uses on other machines', () => {
  const environment = {
    PORT: '9000',
    PLINTH_CONTROL_PLANE: 'http://10.0.0.2:8000',
    PLINTH_DATA_PLANE: 'https://data.internal',
    PLATFORM_DATABASE_URL: 'postgres://x@DB.internal/plinth',
    NATS_URL: 'nats://[fd00::5]',
    PLINTH_MODE: 'self-hosted',
    DATABASE_URL: 'postgresql://x@10.0.0.3:6000/app',
  }
  expect(of(environment)).toEqual([
    '127.0.0.1:9000',
    '127.0.0.1:8001',
    '10.0.0.2:8000',
    'data.internal:443',
    'db.internal:5432',
    '10.0.0.3:6000',
    '[fd00::5]:4222',
  ])
})
