import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { SecretText } from '../../../ui/text/SecretText.tsx'
import type { View } from './resource.ts'
import { ExampleList } from './ExampleList.tsx'
import { type Access, clientExample, type Example } from './examples.ts'
import { jsText, shellText } from './example-text.ts'

type Props = { access: Access; view: View }

export const Introduction = ({ access, view: { language } }: Props) => (
  <>
    <p>
      You can reach every table, view and function in the schema{' '}
      <span className="mono">public</span> over HTTP, as far as its grants and policies allow. These
      docs show the current state of your database.
    </p>
    <div className="labelled">
      <span>API URL</span>
      <CopyText text={access.url} what="API URL" />
    </div>
    {language === 'js' && (
      <section className="doc-part">
        <h3>Install the client library</h3>
        <CodeBlock
          code="npm install @supabase/supabase-js"
          language="text"
          what="install command"
        />
      </section>
    )}
    <ExampleList examples={[clientExample(access)]} language={language} />
  </>
)

type KeyProps = Props & { anonKey: string | undefined; serviceKey: string | undefined }

export const Authentication = ({ access, view: { language }, anonKey, serviceKey }: KeyProps) => (
  <>
    <p>
      Each request carries an API key of the project in the header{' '}
      <span className="mono">apikey</span>. The key sets the role of the request until someone signs
      in. Then their token in the header <span className="mono">Authorization</span> sets it.
    </p>
    <div className="labelled">
      <span>
        {isOpaque(anonKey) ? 'Publishable key' : 'Anon key'}
        <span className="muted">
          For browsers and apps. Row level security decides what it sees.
        </span>
      </span>
      {anonKey ? <CopyText text={anonKey} what="anon key" /> : <NoKey />}
    </div>
    <div className="labelled">
      <span>
        {isOpaque(serviceKey) ? 'Secret key' : 'Service key'}
        <span className="muted">For your servers only. Bypasses every policy.</span>
      </span>
      {serviceKey ? <SecretText secret={serviceKey} what="service key" /> : <NoKey />}
    </div>
    <ExampleList examples={[clientExample(access)]} language={language} />
  </>
)

/** Where the legacy keys are disabled, keys of the new kind stand in their place. */
const isOpaque = (key: string | undefined) => key?.startsWith('sb_') ?? false

const NoKey = () => (
  <div className="in f" aria-disabled>
    Your role cannot read this key
  </div>
)

export const Users = ({ access, view: { language } }: Props) => (
  <>
    <p>
      People who use your app have accounts in its auth service. Policies identify them by{' '}
      <span className="mono">auth.uid()</span>.
    </p>
    <ExampleList examples={userExamples(access)} language={language} />
  </>
)

const email = 'someone@example.com'
const password = 'a-long-password'

/** The auth service: who signs in gets a token that stands for them in every other request. */
function userExamples({ url, key }: Access): Example[] {
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
