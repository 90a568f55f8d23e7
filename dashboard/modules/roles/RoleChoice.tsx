import {
  useSuspenseQuery,
  useInfiniteQuery,
  infiniteQueryOptions,
  keepPreviousData,
} from '@tanstack/react-query'
import { Database, Globe, KeyRound, UserRound } from 'lucide-react'
import { useState, useDeferredValue } from 'react'
import type { Output } from '#contract/endpoint'
import { impersonation } from '#contract/data-api/impersonation'
import { Icon, type IconType } from '../../ui/Icon.tsx'
import { projectQuery } from '../../session/project/project.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Form } from '../../ui/controls/Form.tsx'
import { OptionList } from '../../ui/lists/OptionList.tsx'
import { Segmented } from '../../ui/controls/Segmented.tsx'
import { TextField, TextArea } from '../../ui/controls/TextField.tsx'
import { callDatabase } from '../../session/project/database.ts'
import {
  keyClaims,
  type Impersonation,
  type OwnRole,
  claimsFrom,
  nameOf,
  outsideClaims,
  userClaims,
  type Aal,
} from './impersonation.ts'

type Props = {
  projectRef: string
  value: Impersonation | undefined
  verb: string
  own: OwnRole
  onChoose: (value: Impersonation | undefined) => void
}

/** What is new about every token. */
const newToken = (issuer: string) => ({
  issuer,
  now: new Date(),
  sessionId: crypto.randomUUID(),
})

type Role = 'postgres' | 'anon' | 'authenticated' | 'service_role'

const roles: { role: Role; icon: IconType; help: string }[] = [
  { role: 'postgres', icon: Database, help: 'The owner. Row level security does not apply to it.' },
  { role: 'anon', icon: Globe, help: 'Requests with the public key, not signed in.' },
  { role: 'authenticated', icon: UserRound, help: 'Requests of a user who is signed in.' },
  {
    role: 'service_role',
    icon: KeyRound,
    help: 'Requests with the secret key. Passes every policy.',
  },
]

/** Those that a request can come as. */
const requestRoles = roles.filter(({ role }) => role !== 'postgres')

/** What stands in a RolePicker's panel: the roles, and for a signed-in user the question which one. */
export function RoleChoice({ projectRef, value, verb, own, onChoose }: Props) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const [role, setRole] = useState<string>(value?.role ?? own)
  const token = () => newToken(`${project.endpoint}/auth/v1`)
  function choose(next: Role) {
    setRole(next)
    if (next === own) onChoose(undefined)
    else if (next === 'anon' || next === 'service_role')
      onChoose({ role: next, label: next, claims: keyClaims(next, { ...token(), aal: 'aal1' }) })
  }
  return (
    <>
      <fieldset className="role-cards">
        <legend className="sr">{verb}</legend>
        {(own === 'postgres' ? roles : requestRoles).map(({ role: one, icon, help }) => (
          <button
            key={one}
            type="button"
            aria-pressed={role === one}
            className="role-card"
            onClick={() => choose(one)}
          >
            <Icon of={icon} />
            <span>
              <span className="mono">{one}</span>
              <span className="choice-help">{help}</span>
            </span>
          </button>
        ))}
      </fieldset>
      {role === 'authenticated' && (
        <UserChoice
          projectRef={projectRef}
          value={value}
          verb={verb}
          token={token}
          onChoose={onChoose}
        />
      )}
    </>
  )
}

type UserChoiceProps = {
  projectRef: string
  value: Impersonation | undefined
  verb: string
  token: () => { issuer: string; now: Date; sessionId: string }
  onChoose: (value: Impersonation) => void
}
type Choose = (name: string, claims: (aal: Aal) => Record<string, unknown>) => void

/** Which signed-in user: one of the project's, or one whom another system vouches for; and how they proved who they are. */
function UserChoice({ projectRef, value, verb, token, onChoose }: UserChoiceProps) {
  const [from, setFrom] = useState<'project' | 'outside'>('project')
  const [aal, setAal] = useState<Aal>(value?.claims['aal'] === 'aal2' ? 'aal2' : 'aal1')
  const choose: Choose = (label, claims) =>
    onChoose({ role: 'authenticated', label, claims: claims(aal) })
  return (
    <div className="role-user">
      <div className="role-user-bar">
        <Segmented
          label="Where the user is from"
          options={[
            { value: 'project', label: 'Project user' },
            { value: 'outside', label: 'Outside user' },
          ]}
          value={from}
          onChange={setFrom}
        />
        <span className="grow" />
        <Segmented
          label="Assurance level"
          options={[
            { value: 'aal1', label: 'AAL1' },
            { value: 'aal2', label: 'AAL2' },
          ]}
          value={aal}
          onChange={setAal}
        />
      </div>
      {from === 'project' ? (
        <ProjectUsers projectRef={projectRef} value={value} token={token} choose={choose} />
      ) : (
        <OutsideUser verb={verb} token={token} choose={choose} />
      )}
    </div>
  )
}

type Inner = { token: UserChoiceProps['token']; choose: Choose }

function ProjectUsers({
  projectRef,
  value,
  token,
  choose,
}: Inner & Pick<UserChoiceProps, 'projectRef' | 'value'>) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const list = useInfiniteQuery(projectUsersQuery(projectRef, search))
  const users = list.data?.pages.flatMap((page) => page.users) ?? []
  if (list.error && !list.data)
    return <ErrorNote what="Users" error={list.error} onRetry={() => void list.refetch()} />
  return (
    <OptionList
      label="Users"
      search="Find a user"
      onType={setTyped}
      nothing={list.isFetching ? 'Looking for users' : 'No matching user in this project'}
      options={users.map((user) => ({
        value: user.id,
        label: nameOf(user),
        detail: user.email && user.phone ? `${user.phone} ${user.id}` : user.id,
      }))}
      value={typeof value?.claims['sub'] === 'string' ? value.claims['sub'] : undefined}
      onSelect={(id) => {
        const user = users.find((one) => one.id === id)
        if (user) choose(nameOf(user), (aal) => userClaims(user, { ...token(), aal }))
      }}
      footer={
        list.hasNextPage && (
          <button
            type="button"
            className="mi"
            disabled={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Show more users
          </button>
        )
      }
    />
  )
}

function OutsideUser({ verb, token, choose }: Inner & Pick<UserChoiceProps, 'verb'>) {
  const [sub, setSub] = useState('')
  const [text, setText] = useState('')
  const claims = claimsFrom(text)
  return (
    <Form
      className="form-stack role-outside"
      error={undefined}
      pending={false}
      onSubmit={() =>
        claims && sub && choose(sub, (aal) => outsideClaims(sub, claims, { ...token(), aal }))
      }
    >
      <TextField
        label="Subject"
        mono
        autoComplete="off"
        help="The value of auth.uid() and the sub claim. Often a UUID."
        value={sub}
        onChange={(event) => setSub(event.target.value)}
      />
      <TextArea
        label="More claims"
        mono
        rows={3}
        spellCheck={false}
        placeholder={'{"org_id": "acme"}'}
        error={claims ? undefined : 'Enter claims as a JSON object'}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" size="form" variant="primary" disabled={!claims || !sub}>
        {verb} this user
      </Button>
    </Form>
  )
}

type Page = Output<typeof impersonation.users>

/** The users of a project's auth service, newest first, in pages. */
const projectUsersQuery = (ref: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [impersonation.users.name, { ref, search }],
    queryFn: ({ pageParam, signal }) =>
      callDatabase(
        impersonation.users,
        { ref, search, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }: Page) => next ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 2_000,
  })
