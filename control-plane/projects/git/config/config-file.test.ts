import { expect, test } from 'vitest'
import { readConfig } from './config-file.ts'

test('what goes with branches is taken, in the words of the file', () => {
  const { settings, functions, unused } = readConfig(`
[api]
schemas = ["public", "shop"]
max_rows = 50
[auth]
enable_signup = false
jwt_expiry = 1800
password_requirements = "letters_digits"
[auth.email]
enable_confirmations = true
max_frequency = "1m30s"
template.invite.subject = "Come in"
[auth.sessions]
timebox = "24h"
[functions.hello]
verify_jwt = false
entrypoint = "./functions/hello/main.ts"
`)
  expect(unused).toEqual([])
  expect(settings.data_api).toEqual({ db_schema: 'public, shop', max_rows: 50 })
  expect(settings.auth).toMatchObject({
    DISABLE_SIGNUP: true,
    JWT_EXP: 1800,
    MAILER_AUTOCONFIRM: false,
    SMTP_MAX_FREQUENCY: 90,
    MAILER_SUBJECTS_INVITE: 'Come in',
    SESSIONS_TIMEBOX: 24,
  })
  expect(settings.auth?.['PASSWORD_REQUIRED_CHARACTERS']).toMatch(/^a.*:0123456789$/)
  expect(functions.get('hello')).toEqual({
    verify_jwt: false,
    entrypoint: 'functions/hello/main.ts',
  })
})

test('what is not used is named by its section, and nothing is dropped unseen', () => {
  const { settings, unused } = readConfig(`
project_id = "books"
[api]
port = 54321
[auth]
site_url = "https://example.com"
jwt_expiry = "an hour"
minimum_password_length = 3
[auth.sessions]
timebox = "90m"
[auth.email.smtp]
host = "env(SMTP_HOST)"
pass = "secret of the file"
[studio]
enabled = true
port = 54323
`)
  expect(settings).toEqual({})
  expect(unused).toEqual([
    'config.toml: auth.jwt_expiry has no value that can be used',
    expect.stringMatching(/^config.toml: auth.minimum_password_length cannot be set so: /),
    'config.toml: auth.sessions.timebox has no value that can be used',
    'config.toml: auth.email.smtp.host is to come from the environment',
    'config.toml: project_id',
    'config.toml [api]: port',
    'config.toml [auth]: site_url',
    'config.toml [auth.email.smtp]: pass',
    'config.toml [studio]: enabled, port',
  ])
  expect(unused.join()).not.toContain('secret of the file')
})

test('a file that is no TOML is not used at all', () => {
  expect(readConfig('[auth]\njwt_expiry = 60\n!').unused).toEqual([
    'config.toml: line 3: illegal character in key',
  ])
  expect(readConfig('[auth]\njwt_expiry = 60\n!').settings).toEqual({})
})
