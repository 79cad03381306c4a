import HikyakuOpenAPI

/// The page's style sheet.
enum HTMLStyle {
    static let text: HTMLText = """
        :root {
          color-scheme: light dark;
          --text: #1d1d1f; --quiet: #5d5d66; --back: #ffffff; --card: #f6f6f8; --line: #dcdce2; --link: #0b57c4;
          --get: #0a6b3d; --post: #8a4b00; --put: #5b3fb5; --delete: #b3261e; --other: #4a4a52;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --text: #ececf1; --quiet: #a3a3ae; --back: #17171a; --card: #212126; --line: #37373f; --link: #83b4ff;
            --get: #5fd39a; --post: #f0b56b; --put: #b6a1ff; --delete: #ff8f88; --other: #b9b9c4;
          }
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        body {
          margin: 0 auto; max-width: 72rem; padding: 2rem 1.5rem; display: grid;
          grid-template-columns: 14rem minmax(0, 1fr); gap: 3rem;
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
          color: var(--text); background: var(--back);
        }
        nav {
          position: sticky; top: 2rem; align-self: start; max-height: calc(100vh - 4rem); overflow: auto;
          font-size: 0.9rem;
        }
        nav ul { list-style: none; margin: 0.25rem 0 1rem; padding: 0 0 0 0.75rem; border-left: 1px solid var(--line); }
        nav li { margin: 0.2rem 0; overflow-wrap: anywhere; }
        nav .chapter { font-weight: 600; color: var(--text); }
        a { color: var(--link); text-decoration: none; }
        a:hover, a:focus { text-decoration: underline; }
        h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; }
        h2 { margin: 2.5rem 0 0.5rem; font-size: 1.35rem; }
        h3 { margin: 0; font-size: 1.05rem; }
        h3 a { color: inherit; }
        .count, .note, dt { color: var(--quiet); }
        .count { margin: 0.25rem 0 0; }
        .note { font-style: italic; }
        .filter {
          position: sticky; top: 0; z-index: 1; display: flex; align-items: center; gap: 0.6rem;
          padding: 1rem 0 0.75rem; background: var(--back);
        }
        .filter input {
          flex: 1; min-width: 0; padding: 0.5rem 0.75rem; font: inherit; text-overflow: ellipsis;
          color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem;
        }
        .filter input::placeholder { color: var(--quiet); opacity: 1; }
        kbd, button {
          padding: 0.15rem 0.5rem; font: inherit; font-size: 0.85rem;
          color: var(--quiet); background: var(--card); border: 1px solid var(--line); border-radius: 0.4rem;
        }
        button { color: var(--link); cursor: pointer; }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
        .empty { margin: 1.5rem 0; color: var(--quiet); }
        section, article { scroll-margin-top: 4.5rem; }
        h2 { scroll-margin-top: 3.5rem; }
        article {
          margin: 1rem 0; padding: 1rem 1.25rem; background: var(--card);
          border: 1px solid var(--line); border-radius: 0.6rem;
        }
        article p { margin: 0.6rem 0; }
        code, pre, .method {
          font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
        }
        code { font-size: 0.9em; overflow-wrap: anywhere; }
        pre { overflow-x: auto; padding: 0.75rem; background: var(--back); border-radius: 0.4rem; }
        .method { font-weight: 700; font-size: 0.85em; color: var(--other); }
        .get { color: var(--get); }
        .post { color: var(--post); }
        .put, .patch { color: var(--put); }
        .delete { color: var(--delete); }
        .call { font-size: 1.05rem; }
        .call .note { font-size: 0.9rem; }
        dl {
          display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0.3rem 1rem; margin: 0.9rem 0 0;
          font-size: 0.92rem;
        }
        dd { margin: 0; }
        dd code + code { margin-left: 0.4rem; }
        @media (max-width: 48rem) {
          body { display: block; padding: 1.25rem 1rem; }
          nav { position: static; max-height: none; margin-bottom: 2rem; }
          dl { grid-template-columns: 1fr; gap: 0 0; }
          dd { margin-bottom: 0.4rem; }
        }
        @media print {
          body { display: block; }
          .filter, .empty { display: none; }
          nav { position: static; max-height: none; }
          article { break-inside: avoid; }
        }
        """
}
