import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import { projectQuery } from '../../../session/project/project.ts'
import { useWindowName } from '../../../session/window-name.ts'
import { Ago } from '../../../ui/text/Time.tsx'
import { buttonClass } from '../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { CallError } from '../../../api/client.ts'
import { functionQuery } from './queries.ts'

type Props = {
  projectRef: string
  slug: string
  /** Its pages, and the one that is open. */
  children: ReactNode
}

/** Around the pages of one function: its name, where it answers, and which version does. */
export function FunctionFrame({ projectRef, slug, children }: Props) {
  const { data, error } = useQuery(functionQuery(projectRef, slug))
  const { data: project } = useQuery(projectQuery(projectRef))
  useWindowName(data?.name ?? slug)
  if (error instanceof CallError && (error.code === 404 || error.code === 400)) {
    return (
      <Page>
        <EmptyState
          icon={Zap}
          title="This function does not exist"
          action={
            <Link
              to="/project/$ref/functions"
              params={{ ref: projectRef }}
              className={buttonClass({ variant: 'primary' })}
            >
              All functions
            </Link>
          }
        >
          It was deleted, or never deployed as <span className="mono">{slug}</span>. Deleted
          functions are listed below the others.
        </EmptyState>
      </Page>
    )
  }
  const url = project && `${project.public_url}/functions/v1/${slug}`
  return (
    <Page>
      <PageHead
        title={data?.name ?? slug}
        help={
          <span className="function-place">
            {url && (
              <CopyButton text={url} what="URL">
                <span className="mono">{url}</span>
              </CopyButton>
            )}
            {data && (
              <span>
                Version {data.version}, deployed{' '}
                <Ago at={new Date(data.updated_at).toISOString()} />
              </span>
            )}
          </span>
        }
      />
      <div className="sections">{children}</div>
    </Page>
  )
}
