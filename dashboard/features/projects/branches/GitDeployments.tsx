import { useQuery } from '@tanstack/react-query'
import { git, type GitDeployment } from '#contract/projects/git'
import { q } from '../../../api/client.ts'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Status, type StatusTone } from '../../../ui/text/Status.tsx'
import { Ago } from '../../../ui/text/Time.tsx'

const views: Record<GitDeployment['status'], { tone: StatusTone; word: string }> = {
  waiting: { tone: 'working', word: 'Waiting' },
  running: { tone: 'working', word: 'Deploying' },
  done: { tone: 'success', word: 'Deployed' },
  failed: { tone: 'danger', word: 'Failed' },
  superseded: { tone: 'off', word: 'Skipped for a newer commit' },
}
const isUnderWay = ({ finished_at: finished }: GitDeployment) => finished === null

/** What became of the commits that were deployed, the newest first. */
export function GitDeployments({ projectRef }: { projectRef: string }) {
  const { data, error, refetch } = useQuery({
    ...q(git.deployments, { ref: projectRef }, 0),
    refetchInterval: ({ state }) => (state.data?.deployments.some(isUnderWay) ? 1000 : false),
  })
  if (error && !data)
    return <ErrorNote what="Deployments from git" error={error} onRetry={() => void refetch()} />
  const deployments = data?.deployments ?? []
  return (
    <Card title="Deployments from git" padded={false}>
      {deployments.length === 0 ? (
        <p className="branch-none muted">
          {data ? 'None yet. The first push to a branch that is followed shows up here.' : ''}
        </p>
      ) : (
        <ul className="branch-list">
          {deployments.map((one) => (
            <li key={one.id}>
              <details>
                <summary
                  aria-label={`${one.commit.slice(0, 8)} of ${one.git_branch}: ${views[one.status].word}`}
                >
                  <span className="branch-setting">
                    <Status tone={views[one.status].tone}>{views[one.status].word}</Status>
                    <span className="mono grow">
                      {one.commit.slice(0, 8)} {one.git_branch}
                    </span>
                    <span className="muted t12">
                      {one.target_branch === null ? 'to the project' : `to ${one.target_branch}`},{' '}
                      <Ago at={one.at} />
                    </span>
                  </span>
                </summary>
                <div className="branch-long">
                  {one.failure !== null && <p className="err branch-text">{one.failure}</p>}
                  {one.log.length > 0 ? (
                    <pre className="mono">{one.log.join('\n')}</pre>
                  ) : (
                    one.failure === null && <p className="muted">Nothing had to be changed.</p>
                  )}
                </div>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
