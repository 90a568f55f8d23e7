import { Children, isValidElement, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { safeLink } from './links.ts'
import { SqlBlock } from './SqlBlock.tsx'

/**
 * An answer as Markdown. What a model writes can come from anywhere, a row of a table included: HTML stays text, images
 * are not loaded, and links lead to the Postgres manual or nowhere.
 */
export const Markdown = ({ text }: { text: string }) => (
  <ReactMarkdown components={components} urlTransform={(url) => url}>
    {text}
  </ReactMarkdown>
)

const components: Components = {
  a: ({ href, children }) => {
    const safe = safeLink(href)
    if (safe)
      return (
        <a className="link" href={safe} target="_blank" rel="noreferrer noopener">
          {children}
        </a>
      )
    return (
      <span>
        {children} <span className="mono muted">({href})</span>
      </span>
    )
  },
  img: ({ alt }) => <span className="muted">[Image{alt ? `: ${alt}` : ''}, not loaded]</span>,
  pre: ({ children, node }) => {
    const { code, language } = codeOf(children)
    // Where the block begins in the answer: the same while the rest of it is still being written.
    const at = node?.position?.start.offset ?? 0
    return /^(sql|postgres|postgresql|pgsql|plpgsql)$/.test(language) ? (
      <SqlBlock id={`sql-${at}`} sql={code} />
    ) : (
      <CodeBlock code={code} language="text" />
    )
  },
}

/** The text inside `<pre><code class="language-x">`. */
function codeOf(children: ReactNode): { code: string; language: string } {
  const [child] = Children.toArray(children)
  if (!isValidElement<{ className?: string; children?: ReactNode }>(child))
    return { code: '', language: '' }
  const { className = '', children: inside } = child.props
  const language = /language-(\S+)/.exec(className)?.[1] ?? ''
  return {
    code: (typeof inside === 'string' ? inside : '').replace(/\n$/, ''),
    language: language.toLowerCase(),
  }
}
