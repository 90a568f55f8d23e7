import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { GitPullRequest } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Branch } from '#contract/projects/branches'
import { mergeRequests, type MergeRequestNote } from '#contract/projects/merge-requests'
import { profileQuery } from '../../../session/identity/profile.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { TextArea } from '../../../ui/controls/TextField.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { requestNotesQuery, requestsOfBranchQuery, useRequestCall } from './queries.ts'
import { RequestForm } from './RequestForm.tsx'

type Props = {
  branch: Branch
  /** Of the difference that is shown; undefined while there is none. */
  digest: string | undefined
  /** What is known of its migrations; undefined: it has none. */
  check: ReactNode
}

/** The open request to merge a branch: who asked, what reviewers say of what it has now, and comments. */
export function MergeRequestCard({ branch, digest, check }: Props) {
  const ref = branch.parent_project_ref
  const { data, error, refetch } = useQuery(requestsOfBranchQuery(branch))
  const denied = useDenials(useProject(ref))
  const [asking, setAsking] = useState(false)
  const request = data?.requests.find((one) => one.branch_id === branch.id && one.state === 'open')
  const notes = useQuery({
    ...requestNotesQuery(ref, request?.id ?? ''),
    enabled: request !== undefined,
  })
  const close = useRequestCall(mergeRequests.update, () => undefined)
  if (error && !data)
    return <ErrorNote what="Requests to merge" error={error} onRetry={() => void refetch()} />
  if (!data) return null
  const needed = data.approvals_needed
  const reviews = notes.data?.notes ?? []
  const given = reviews.filter(
    (one) => one.counts && one.verdict === 'approved' && one.digest === digest,
  ).length
  const approvals = `${given} of ${needed} ${needed === 1 ? 'approval' : 'approvals'}`
  return (
    <Card
      title="Request to merge"
      end={
        request ? (
          <Button
            disabledReason={denied(mergeRequests.update)}
            busy={close.isPending}
            onClick={() => close.mutate({ ref, id: request.id, state: 'closed' })}
          >
            Close request
          </Button>
        ) : (
          <Button
            icon={GitPullRequest}
            disabledReason={denied(mergeRequests.create)}
            onClick={() => setAsking(true)}
          >
            Request merge
          </Button>
        )
      }
    >
      {!request && (
        <p className="muted">
          {needed > 0
            ? `Merging needs ${needed === 1 ? 'an approval' : `${needed} approvals`} of what the branch has.`
            : 'Ask others to look at this branch before it is merged.'}
        </p>
      )}
      {request && (
        <div className="form-stack">
          <div>
            <p className="med">{request.title}</p>
            {request.description !== '' && <p className="branch-text">{request.description}</p>}
            <p className="muted t12">
              Requested by {request.author.email ?? 'a former member'}{' '}
              <Ago at={request.created_at} />
              {request.reviewers.length > 0 &&
                `. Reviewers: ${request.reviewers.map((one) => one.email ?? 'a former member').join(', ')}`}
            </p>
          </div>
          {needed > 0 && (
            <Status tone={given >= needed ? 'success' : 'warning'}>{approvals}</Status>
          )}
          {check}
          {close.error && <Alert variant="danger" title={close.error.message} />}
          <ul className="branch-list">
            {reviews.map((note) => (
              <Note key={note.id} note={note} digest={digest} />
            ))}
          </ul>
          <Answer projectRef={ref} id={request.id} digest={digest} authorId={request.author.id} />
        </div>
      )}
      {asking && <RequestForm branch={branch} onClose={() => setAsking(false)} />}
    </Card>
  )
}

function Note({ note, digest }: { note: MergeRequestNote; digest: string | undefined }) {
  const { author, verdict, body, at, counts } = note
  const isStale = verdict === 'approved' && counts && digest !== undefined && note.digest !== digest
  return (
    <li>
      <p>
        <span className="med">{author.email ?? 'A former member'}</span>{' '}
        {verdict === 'approved' && <Badge tone="success">Approved</Badge>}
        {verdict === 'changes_requested' && <Badge tone="warning">Changes requested</Badge>}{' '}
        {isStale && <Badge>The branch has changed since</Badge>}{' '}
        <span className="muted t12">
          <Ago at={at} />
        </span>
      </p>
      {body !== '' && <p className="branch-text">{body}</p>}
    </li>
  )
}

/** A comment, or a review with or without one. */
function Answer({
  projectRef: ref,
  id,
  digest,
  authorId,
}: {
  projectRef: string
  id: string
  digest: string | undefined
  authorId: string
}) {
  const { data: me } = useSuspenseQuery(profileQuery)
  const denied = useDenials(useProject(ref))
  const [body, setBody] = useState('')
  const done = () => setBody('')
  const comment = useRequestCall(mergeRequests.comment, done)
  const review = useRequestCall(mergeRequests.review, done)
  const noReview =
    denied(mergeRequests.review) ??
    (me.gotrue_id === authorId ? 'Somebody else has to review your request' : undefined) ??
    (digest === undefined ? 'Wait for the comparison' : undefined)
  const say = (verdict: 'approved' | 'changes_requested') => {
    if (digest !== undefined) review.mutate({ ref, id, verdict, digest, body })
  }
  const error = review.error ?? comment.error
  return (
    <>
      <TextArea
        label="Comment"
        value={body}
        maxLength={5000}
        onChange={(event) => setBody(event.target.value)}
      />
      {error && <Alert variant="danger" title={error.message} />}
      <div className="row branch-answers">
        <Button
          busy={comment.isPending}
          disabledReason={body.trim() === '' ? 'Write a comment first' : undefined}
          onClick={() => comment.mutate({ ref, id, body })}
        >
          Comment
        </Button>
        <Button disabledReason={noReview} onClick={() => say('changes_requested')}>
          Request changes
        </Button>
        <Button
          variant="primary"
          busy={review.isPending}
          disabledReason={noReview}
          onClick={() => say('approved')}
        >
          Approve
        </Button>
      </div>
    </>
  )
}
