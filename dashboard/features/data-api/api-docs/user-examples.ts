import { type Access, type Example } from './examples.ts'
import { jsText, shellText } from './example-text.ts'

const email = 'someone@example.com'
const password = 'a-long-password'

/** The auth service: who signs in gets a token that stands for them in every other request. */
export function userExamples({ url, key }: Access): Example[] {
  const curl = (path: string, body: object | undefined, bearer = key) =>
    [
      `curl ${body ? '-X POST ' : ''}${shellText(`${url}/auth/v1/${path}`)}`,
      `-H ${shellText(`apikey: ${key}`)}`,
      ...(bearer === key ? [] : [`-H "Authorization: Bearer ${bearer}"`]),
      ...(body
        ? [`-H 'Content-Type: application/json'`, `-d ${shellText(JSON.stringify(body))}`]
        : []),
    ].join(' \\\n  ')
  const login = { email, password }
  const js = (call: string) => `const { data, error } = await client.auth.${call}`
  const credentials = `{\n  email: ${jsText(email)},\n  password: ${jsText(password)},\n}`
  return [
    {
      id: 'sign-up',
      title: 'Sign up',
      js: js(`signUp(${credentials})`),
      bash: curl('signup', login),
    },
    {
      id: 'sign-in',
      title: 'Sign in with a password',
      js: js(`signInWithPassword(${credentials})`),
      bash: curl('token?grant_type=password', login),
    },
    {
      id: 'user',
      title: 'Get the current user',
      about: 'In the shell, ACCESS_TOKEN is the access_token that sign-in returned.',
      js: js('getUser()'),
      bash: curl('user', undefined, '$ACCESS_TOKEN'),
    },
    {
      id: 'sign-out',
      title: 'Sign out',
      js: 'const { error } = await client.auth.signOut()',
      bash: curl('logout', {}, '$ACCESS_TOKEN'),
    },
  ]
}
