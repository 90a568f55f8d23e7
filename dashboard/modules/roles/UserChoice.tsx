import { useInfiniteQuery, infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Form } from '../../ui/controls/Form.tsx'
import { OptionList } from '../../ui/lists/OptionList.tsx'
import { Segmented } from '../../ui/controls/Segmented.tsx'
import { TextArea } from '../../ui/controls/TextArea.tsx'
import { TextField } from '../../ui/controls/TextField.tsx'
import {
  claimsFrom,
  nameOf,
  outsideClaims,
  userClaims,
  type Aal,
  type Impersonation,
} from './impersonation.ts'
import type { Output } from '#contract/endpoint'
import { impersonation } from '#contract/data-api/impersonation'
import { callDatabase } from '../../session/project/database.ts'

type Props = {
  projectRef: string
  value: Impersonation | undefined
  verb: string
  token: () => { issuer: string; now: Date; sessionId: string }
  onChoose: (value: Impersonation) => void
}
type Choose = (name: string, claims: (aal: Aal) => Record<string, unknown>) => void

/** Which signed-in user: one of the project's, or one whom another system vouches for; and how they proved who they are. */
export function UserChoice({ projectRef, value, verb, token, onChoose }: Props) {
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

type Inner = { token: Props['token']; choose: Choose }

function ProjectUsers({
  projectRef,
  value,
  token,
  choose,
}: Inner & Pick<Props, 'projectRef' | 'value'>) {
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

function OutsideUser({ verb, token, choose }: Inner & Pick<Props, 'verb'>) {
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
