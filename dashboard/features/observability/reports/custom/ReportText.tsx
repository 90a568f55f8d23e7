import ReactMarkdown, { type Components } from 'react-markdown'

/** Links of a report lead to pages of the web, in a window of their own, which learns nothing of where it was opened from. */
const isWeb = (href: string | undefined): href is string =>
  href !== undefined && URL.canParse(href) && /^https?:$/.test(new URL(href).protocol)

const components: Components = {
  a: ({ href, children }) =>
    isWeb(href) ? (
      <a className="link" href={href} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // A picture would tell its server who reads the report.
  img: ({ alt }) => <span className="muted">[Image{alt ? `: ${alt}` : ''}, not loaded]</span>,
  // The page has its heading; those of a text stand below it.
  h1: ({ children }) => <h2>{children}</h2>,
}

/** Markdown that somebody in the project wrote. HTML in it stays text. */
export const ReportText = ({ text }: { text: string }) => (
  <div className="report-text">
    <ReactMarkdown components={components}>{text}</ReactMarkdown>
  </div>
)
