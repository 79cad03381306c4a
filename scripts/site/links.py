"""Spells out links to other modules, which docc does not find by their names alone."""

import re

# Symbols in two backquotes, and articles, outside of code.
LINK = re.compile(r"``(?P<symbol>[^`\s]+)``|<doc:(?!/)(?P<article>[A-Za-z][\w-]*)(?P<anchor>#[^>\s]*)?>")
FENCE = re.compile(r"^\s*```")
TITLE = re.compile(r"^# ``([^`]+)``\s*$")
SUFFIX = re.compile(r"-[\w.>(),]+$")


def plain(component):
    """A component of a link without what distinguishes overloads."""
    # An operator such as `-(_:_:)` begins with what a suffix begins with.
    return component[:1] + SUFFIX.sub("", component[1:]) if component else component


def is_of_symbol(text):
    """Whether a page of a catalogue belongs to a symbol, instead of being an article."""
    return any(TITLE.match(line) for line in text.split("\n") if line.startswith("# "))


class Names:
    """Where every symbol and article of the site is."""

    def __init__(self):
        self.own = {}  # module: the paths of its symbols
        self.added = {}  # module: what it adds to types of other modules, as (their module, path)
        self.articles = {}  # article: the modules that have one of this name

    def add_graph(self, module, extended, symbols):
        own = self.own.setdefault(module, set())
        added = self.added.setdefault(module, {})
        for symbol in symbols:
            path = tuple(symbol["pathComponents"])
            if extended is None:
                own.add(path)
            else:
                added[path] = extended

    def add_articles(self, module, stems):
        for stem in stems:
            self.articles.setdefault(stem, []).append(module)

    def reference(self, *path):
        # The slash makes docc begin with the modules: the names of what is extended begin with a module's, too.
        return f"``/{'/'.join(path)}``"

    def spelled_out(self, text, module, scope=()):
        """The text with links to other modules in the form that docc takes."""

        def replace(match):
            if match["article"]:
                homes = self.articles.get(match["article"], [module])
                home = module if module in homes else homes[0]
                return match[0] if home == module else f"<doc:/{home}/{match['article']}>"
            return self.symbol(match["symbol"], module, scope) or match[0]

        return LINK.sub(replace, text)

    def symbol(self, link, module, scope):
        """The reference to another module's symbol; nothing if docc finds the link itself."""
        components = tuple(link.split("/"))
        path = tuple(plain(component) for component in components)
        if path[0] in self.own and path[0] != module:
            named, components, path = path[0], components[1:], path[1:]
            if not path:
                return self.reference(named)
            return self.target(components, path, module, [named])
        own = self.own[module]
        inner = any(scope[:length] + path[:1] in own for length in range(len(scope) + 1))
        # A page of what this module adds to another one names it without that module.
        added = self.added[module]
        beside = any(added.get(scope[1:length] + path) == scope[0] for length in range(1, len(scope) + 1))
        if path[0] == module or inner or beside:
            return None
        return self.target(components, path, module, [name for name in self.own if name != module])

    def target(self, components, path, module, homes):
        home = next((name for name in homes if path[:1] in self.own[name]), None)
        if home is None:
            return None
        # What this module adds is nearer than what others add.
        for adding in [home, module, *self.own]:
            if adding == home and path in self.own[home]:
                return self.reference(home, *components)
            if self.added.get(adding, {}).get(path) == home and len(path) > 1:
                if adding == module:
                    return f"``{'/'.join((module, home, *components))}``"
                return self.reference(adding, home, *components)
        return self.reference(home, *components)

    def document(self, text, module):
        """A file of a catalogue; code and the title stay as they are."""
        lines, fenced, scope = [], False, ()
        for line in text.split("\n"):
            title = TITLE.match(line)
            if FENCE.match(line):
                fenced = not fenced
            elif title:
                scope = tuple(part for part in title[1].split("/") if part != module)
            elif not fenced:
                line = self.spelled_out(line, module, scope)
            lines.append(line)
        return "\n".join(lines)

    def comment(self, symbol, module):
        """Spells out the links of a symbol's documentation."""
        fenced = False
        for line in symbol.get("docComment", {}).get("lines", []):
            if FENCE.match(line["text"]):
                fenced = not fenced
            elif not fenced:
                line["text"] = self.spelled_out(line["text"], module, tuple(symbol["pathComponents"]))
