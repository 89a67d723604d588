/* Written by scripts/types.mjs from schemas/studio.schema.json. */

export interface StudioMessages {
methods: Methods
notifications: Notifications
}
/**
 * The methods of the studio: parameters and results of each.
 */
export interface Methods {
/**
 * The open questions of a ruleset.
 */
"book.questions": {
params: BookRequest
result: BookQuestions
}
/**
 * A ruleset to be read.
 */
"book.read": {
params: BookRequest
result: Book
}
/**
 * Words in the statements of books.
 */
"book.search": {
params: BookSearch
result: BookHits
}
/**
 * The rules of a game in the order of a turn; its tiles are a chapter of the book.
 */
"book.sheet": {
params: RuleSheetRequest
result: RuleSheet
}
/**
 * The tiles of a ruleset.
 */
"book.tiles": {
params: BookRequest
result: BookTiles
}
/**
 * The diagnostics of some rulesets, or of all own ones, with the texts of the request.
 */
"check.run": {
params: CheckRequest
result: Checked
}
/**
 * Two games or more side by side.
 */
"compare.answer": {
params: GamesRequest
result: Answer
}
/**
 * One group of topics of a comparison.
 */
"compare.topic": {
params: GroupRequest
result: GroupRows
}
/**
 * Delete a file, or a folder of a ruleset with what is in it.
 */
"file.delete": {
params: FileName
result: FileList
}
/**
 * Keep a text that is being edited, or nothing any more. A draft that has changed since it was read is not overwritten.
 */
"file.draft": {
params: DraftWrite
result: DraftStamp
}
/**
 * The files of all opened folders, the drafts, and the files whose names have no path here.
 */
"file.list": {
params: Nothing
result: FileList
}
/**
 * Write a new folder from a template.
 */
"file.new": {
params: NewRuleset
result: NewFiles
}
/**
 * A file, and its draft if it has one; of a file that is gone, its draft alone.
 */
"file.read": {
params: FileName
result: FileContent
}
/**
 * Give a file or folder a new path in its opened folder.
 */
"file.rename": {
params: FileRename
result: FileList
}
/**
 * Everything of a game that a house rule may change, with its sentence.
 */
"file.targets": {
params: TargetsRequest
result: Targets
}
/**
 * Save a text. A file or draft that has changed since it was read is not overwritten, and a file that was deleted is not made again.
 */
"file.write": {
params: FileWrite
result: FileContent
}
/**
 * Welcome a page that has the token.
 */
hello: {
params: Hello
result: Welcome
}
/**
 * A topic through editions and house rules.
 */
"history.topic": {
params: HistoryRequest
result: Histories
}
/**
 * All topics, with their labels.
 */
"history.topics": {
params: Nothing
result: TopicList
}
/**
 * The named values of a game.
 */
"house.values": {
params: NumbersRequest
result: NumberRows
}
/**
 * Stop a job; its results so far stay.
 */
"job.cancel": {
params: JobName
result: JobState
}
/**
 * The state of a job.
 */
"job.state": {
params: JobName
result: JobState
}
/**
 * The pictures of some cards.
 */
"library.drawings": {
params: DrawingsRequest
result: CardDrawings
}
/**
 * The game of some picks: its rulesets, its options, and what does not go together.
 */
"library.game": {
params: GamePicks
result: PickedGame
}
/**
 * Every ruleset of the library.
 */
"library.list": {
params: Nothing
result: Cards
}
/**
 * A message for the language server; its answers come as notifications `lsp`.
 */
lsp: {
params: LspMessage
result: Nothing
}
/**
 * Let the bot whose decision it is choose once.
 */
"match.bot": {
params: BotMove
result: MatchState
}
/**
 * Take an option.
 */
"match.choose": {
params: Choose
result: MatchState
}
/**
 * The open cells on which no piece fits that may still come, by their edges alone.
 */
"match.dead": {
params: Look
result: DeadCells
}
/**
 * The feature of a segment: its tiles, its numbers, its figures, and what it would bring.
 */
"match.feature": {
params: FeatureRequest
result: FeatureState
}
/**
 * Forget a kept match.
 */
"match.forget": {
params: MatchName
result: KeptMatches
}
/**
 * Go to a node, or one own choice back or onwards.
 */
"match.goto": {
params: GoTo
result: MatchState
}
/**
 * The three best options, as a greedy bot sees them.
 */
"match.hint": {
params: Look
result: Hints
}
/**
 * All kept matches, the latest first; those that cannot be read are left out.
 */
"match.kept": {
params: Nothing
result: KeptMatches
}
/**
 * The pieces that nobody has seen yet, as a seat knows them.
 */
"match.left": {
params: Look
result: TilesLeft
}
/**
 * A match from the text of a saved file, or of a kept match.
 */
"match.load": {
params: LoadMatch
result: MatchState
}
/**
 * Begin a match.
 */
"match.new": {
params: NewMatch
result: MatchState
}
/**
 * Write a mark and a note at a node.
 */
"match.note": {
params: Annotate
result: Tree
}
/**
 * The board as a picture.
 */
"match.picture": {
params: Picture
result: PictureFile
}
/**
 * The match as a file of the command line.
 */
"match.save": {
params: MatchName
result: Saved
}
/**
 * Let somebody else sit at a seat.
 */
"match.seat": {
params: SeatChange
result: MatchState
}
/**
 * The points by source to the end of the line that is shown, and its turning points.
 */
"match.sheet": {
params: MatchName
result: ScoreSheet
}
/**
 * The state of a match, as a seat sees it.
 */
"match.state": {
params: Look
result: MatchState
}
/**
 * All nodes of a match.
 */
"match.tree": {
params: MatchName
result: Tree
}
/**
 * Awards with their items, rules and statements.
 */
"match.why": {
params: WhyRequest
result: Why
}
/**
 * The reasons why an option is not offered: by its notation, or by a cell and a turn.
 */
"match.whyNot": {
params: WhyNotRequest
result: WhyNot
}
/**
 * The points that each option brings at once, and if the game ended with it.
 */
"match.worth": {
params: Look
result: WorthList
}
/**
 * A scenario step by step.
 */
"scenario.play": {
params: ScenarioRequest
result: ScenarioPlay
}
/**
 * Write the files of a link into an opened folder, all of them or none.
 */
"share.keep": {
params: KeepShared
result: NewFiles
}
/**
 * The content of a text. Its rulesets are checked, and nothing is kept or played.
 */
"share.open": {
params: OpenRequest
result: Opened
}
/**
 * A match, a game or rulesets as a text.
 */
"share.pack": {
params: PackRequest
result: Packed
}
/**
 * The match of a text, played again. Nothing of its rulesets is kept.
 */
"share.play": {
params: OpenRequest
result: MatchState
}
/**
 * The drawings of a game, or of some of its pieces.
 */
"sheet.get": {
params: SheetRequest
result: Sheet
}
/**
 * The page of a simulation.
 */
"simulate.report": {
params: JobName
result: Report
}
/**
 * Simulate games.
 */
"simulate.start": {
params: SimulateStart
result: JobState
}
/**
 * Run the scenarios of a ruleset.
 */
"test.run": {
params: TestRequest
result: TestRun
}
/**
 * Look for boards on which two games differ.
 */
"witness.start": {
params: WitnessStart
result: JobState
}
/**
 * All words of the page in a language, which is the page's from now on.
 */
words: {
params: WordsRequest
result: WordList
}
/**
 * Stop the work that another message has begun; its answer is then a refusal.
 */
"work.stop": {
params: WorkId
result: Nothing
}
}
/**
 * A ruleset.
 */
export interface BookRequest {
id: string
}
/**
 * The open questions of a ruleset.
 */
export interface BookQuestions {
questions: BookQuestion[]
}
/**
 * A question that a rulebook leaves open: an option with its readings, or why it is settled.
 */
export interface BookQuestion {
asks: string
statement: string
settled: string
option: string
readings: string[]
default: string
}
/**
 * A ruleset to be read. `house` are house rules and editions that build on it; `tiles` and `questions` are their numbers.
 */
export interface Book {
id: string
title: string
note: string
groups: BookGroup[]
rules: BookRule[]
scenarios: BookScenario[]
tiles: number
questions: number
house: BookVariant[]
}
/**
 * Topics under one heading.
 */
export interface BookGroup {
id: string
label: string
topics: BookTopic[]
}
/**
 * The statements on one topic.
 */
export interface BookTopic {
id: string
label: string
statements: BookStatement[]
}
/**
 * A statement: where it is printed, whose reading it is, what carries it out and proves it. `language` is set where it is not the language of the page. `note` has the reason why no rule carries it out. `rules` and `scenarios` are ids.
 */
export interface BookStatement {
id: string
text: string
language?: string
authority: string
sources: string[]
note: string
rules: string[]
scenarios: string[]
}
/**
 * A rule as it is written, and in words.
 */
export interface BookRule {
id: string
kind: string
hook: string
text: string
says: string
file: string
line: number
}
/**
 * A scenario, for lists; `choices` are its lines that choose.
 */
export interface BookScenario {
id: string
says: string
choices: number
}
/**
 * A ruleset that builds on this one.
 */
export interface BookVariant {
id: string
title: string
}
/**
 * Words to look for in the statements of some books, or of all.
 */
export interface BookSearch {
words: string
/**
 * @maxItems 1000
 */
among?: string[]
}
/**
 * The first hits, and how many there are.
 */
export interface BookHits {
hits: BookHit[]
count: number
waiting: number
}
/**
 * A statement in which all words occur.
 */
export interface BookHit {
ruleset: string
title: string
topic: string
label: string
text: string
}
/**
 * Rulesets that are joined by `+`.
 */
export interface RuleSheetRequest {
game: string
}
/**
 * The rules of a game in the order of a turn.
 */
export interface RuleSheet {
title: string
parts: RuleSheetPart[]
}
/**
 * A part of a sheet under its heading; `inner` is a part of the one before it.
 */
export interface RuleSheetPart {
id: string
label: string
inner: boolean
paragraphs: RuleSheetParagraph[]
rows: RuleSheetRow[]
notes: string[]
}
/**
 * Sentences behind what they are about.
 */
export interface RuleSheetParagraph {
head: string
sentences: RuleSheetSentence[]
}
/**
 * A sentence of a sheet; `lead` is there where it no longer holds, `note` has the reason. `language` is set where it is not the language of the page.
 */
export interface RuleSheetSentence {
text: string
language?: string
lead: string
note: string
}
/**
 * A line of a table.
 */
export interface RuleSheetRow {
name: string
text: string
}
/**
 * The tiles of a ruleset.
 */
export interface BookTiles {
tiles: BookTile[]
}
/**
 * A tile of the ruleset: a picture (SVG), what is printed on it, and how many there are.
 */
export interface BookTile {
id: string
label: string
count: number
picture: string
}
/**
 * Rulesets to check with the unsaved texts of their files; none: all own ones.
 */
export interface CheckRequest {
/**
 * @maxItems 1000
 */
rulesets?: string[]
texts?: {
[k: string]: string
}
}
/**
 * Diagnostics, in the order of files and lines.
 */
export interface Checked {
diagnostics: FoundDiagnostic[]
}
/**
 * A diagnostic of the checker. Lines and columns count from 1.
 */
export interface FoundDiagnostic {
code: string
severity: ("error" | "warning" | "note")
message: string
hint: string
name: string
file: string
line: number
column: number
end_line: number
end_column: number
}
/**
 * Two games or more, each as rulesets joined by `+`, with `?option=value`.
 */
export interface GamesRequest {
/**
 * @maxItems 1000
 */
games: string[]
}
/**
 * A comparison: heads of the sides, the answer, tiles, the turn, groups, what authors want.
 */
export interface Answer {
sides: SideHead[]
lines: AnswerGroup[]
count: number
tiles: TileChange[]
turn: TurnRow[]
groups: GroupHead[]
authors: AuthorRow[]
rest: Rest
}
/**
 * A side: its game, its title, and its edition and years in words.
 */
export interface SideHead {
game: string
title: string
note: string
}
/**
 * Lines under one heading.
 */
export interface AnswerGroup {
heading: string
lines: AnswerLine[]
}
/**
 * A line of the answer: what it is about, and a sentence for each side that has one. `row` is the key for a board, `group` that of its group of topics. `edit` is there for two sides, where one has a text of its own.
 */
export interface AnswerLine {
row: string
group: string
aspect: string
cells: (Sentence | null)[]
edit?: Edit
}
/**
 * A sentence in runs, and its language where it is not that of the page.
 */
export interface Sentence {
runs: Run[]
language?: string
}
/**
 * A part of a sentence; `key` are its important words.
 */
export interface Run {
text: string
key?: boolean
}
/**
 * The text of the first of two sides, and how it is edited to become that of the second.
 */
export interface Edit {
printed: string
runs: EditRun[]
language?: string
}
/**
 * A part of an edited text.
 */
export interface EditRun {
text: string
change: ("kept" | "struck" | "inserted")
}
/**
 * One kind of change of tiles: in words, with up to four pairs of pictures (SVG). `side` is the number of the side that is held against the first one.
 */
export interface TileChange {
side: number
text: string
count: number
pairs: string[][]
}
/**
 * A step on all sides; `phase` is the label of its part of the game, `why` the reason of a difference in words. Where there are many, `more` says how many further ones `rest` has.
 */
export interface TurnRow {
phase: string
state: ("same" | "beside" | "reworded" | "differs" | "moved" | "only")
cells: (TurnCell | null)[]
why: string
more: string
rest: string
}
/**
 * A step of the turn on one side, with the decisions that are made in it.
 */
export interface TurnCell {
label: string
notes: string[]
}
/**
 * A group of topics, closed.
 */
export interface GroupHead {
id: string
label: string
counts: TopicCounts
}
/**
 * How many topics of a group differ, are on one side only (by side), and are equal.
 */
export interface TopicCounts {
differ: number
only: number[]
alike: number
}
/**
 * A value, an option or a rule that differs, with its text on each side.
 */
export interface AuthorRow {
kind: string
id: string
label: string
cells: (string | null)[]
}
/**
 * The number of equal things on all sides.
 */
export interface Rest {
topics: number
steps: number
tiles: number
}
/**
 * One group of topics of a comparison.
 */
export interface GroupRequest {
/**
 * @maxItems 1000
 */
games: string[]
group: string
}
/**
 * The rows of a group.
 */
export interface GroupRows {
group: string
label: string
rows: RowOfTopic[]
}
/**
 * A topic on all sides; `reasons` are the causes of the difference in words.
 */
export interface RowOfTopic {
row: string
topic: string
label: string
state: ("same" | "beside" | "reworded" | "differs" | "moved" | "only")
idle: boolean
reasons: string
differences: string[]
cells: (CellOfTopic | null)[]
}
/**
 * A side of a topic: statements, differences without a statement, and rules.
 */
export interface CellOfTopic {
statements: ToldStatement[]
details: string[]
carried: string
}
/**
 * A statement on a side: `lead` is `Not here` or the like, `note` why it has no effect.
 */
export interface ToldStatement {
id: string
sentence: Sentence
lead: string
note: string
sources: string[]
}
/**
 * A file by its path: the name of an opened folder, then the path in it.
 */
export interface FileName {
path: string
}
/**
 * All files of rulesets in the opened folders, folders before their files. `drafts` are also those of files that are gone. `unlisted` are the names of files that cannot be edited here because of a letter or a length in them.
 */
export interface FileList {
files: FileRow[]
drafts: Draft[]
unlisted: string[]
}
/**
 * A file or folder in an opened folder.
 */
export interface FileRow {
path: string
name: string
folder: boolean
ruleset: string
size: number
}
/**
 * A text that was being edited and was not saved.
 */
export interface Draft {
path: string
changed: string
}
/**
 * A text that is being edited, over the draft with a stamp; null when nothing is to be kept. A draft with another stamp refuses the text, and an empty stamp is that of no draft. `base` is the stamp of the file that it was begun on.
 */
export interface DraftWrite {
path: string
text: (string | null)
stamp: string
base?: string
}
/**
 * The stamp of a draft; empty when there is none.
 */
export interface DraftStamp {
stamp: string
}
/**
 * No parameters, or an empty result.
 */
export interface Nothing {

}
/**
 * A new folder from a template, on a base or from a rule, definition or value of it.
 */
export interface NewRuleset {
folder?: string
name: string
template: ("house-rule" | "expansion" | "empty")
game?: string
on?: string
title?: string
}
/**
 * The files that were written, the first of them to be opened.
 */
export interface NewFiles {
ruleset: string
files: string[]
}
/**
 * A file: its text and its stamp, both empty where it is gone. `draft` is a text that was not saved, if any, with its stamp and that of the file it was begun on. It counts while the file has the same stamp.
 */
export interface FileContent {
path: string
text: string
stamp: string
uri: string
draft?: string
draft_stamp?: string
draft_base?: string
}
/**
 * A new path for a file or folder, in the same opened folder.
 */
export interface FileRename {
path: string
to: string
}
/**
 * A game.
 */
export interface TargetsRequest {
game: string
options?: {
[k: string]: string
}
}
/**
 * Everything that a house rule may change.
 */
export interface Targets {
targets: Target[]
}
/**
 * Something of a game that a house rule may change.
 */
export interface Target {
id: string
kind: ("value" | "rule" | "definition" | "step")
label: string
says: string
value: string
ruleset: string
}
/**
 * A text to save over the one with a stamp; an empty stamp is that of a file that does not exist yet. `draft_stamp` is that of the draft that the text replaces. A file or draft with another stamp refuses the text.
 */
export interface FileWrite {
path: string
text: string
stamp: string
draft_stamp?: string
}
/**
 * The first message: the token of the address, and the language of the page.
 */
export interface Hello {
token: string
language?: string
}
/**
 * Everything to begin with. `begin` is the match or game of the command line; `problem` is that of `StoreState`; `page` is the address of a page without a program, for links to others.
 */
export interface Welcome {
version: string
engine: Engine
languages: LanguageRow[]
language: string
folders: Folder[]
keywords: string[]
bots: string[]
begin: (Begin | null)
problem: string
page: string
}
/**
 * The engine in use, and why.
 */
export interface Engine {
name: string
why: string
}
/**
 * A language of the page.
 */
export interface LanguageRow {
id: string
label: string
}
/**
 * A folder that the user has opened.
 */
export interface Folder {
folder: string
name: string
}
/**
 * The thing to open first: a kept match, or a game.
 */
export interface Begin {
match?: string
game?: string
}
/**
 * A topic, or the first parts of the names of several.
 */
export interface HistoryRequest {
topic: string
}
/**
 * The histories of some topics, with the publications that they cite.
 */
export interface Histories {
topics: HistoryOfTopic[]
sources: string[]
}
/**
 * A topic through the printed editions, and the house rules that touch it.
 */
export interface HistoryOfTopic {
topic: string
label: string
printed: HistoryChapter[]
house: HistoryChapter[]
}
/**
 * The sentences of one ruleset, and the reasons of differences from the one before.
 */
export interface HistoryChapter {
ruleset: string
title: string
edition: string
year: (number | null)
before: string
differs: string
lines: ChapterLine[]
}
/**
 * A sentence of a chapter; `kind` is its subject.
 */
export interface ChapterLine {
kind: string
text: string
}
/**
 * All topics that some ruleset speaks of.
 */
export interface TopicList {
topics: TopicRow[]
}
/**
 * A topic and its label.
 */
export interface TopicRow {
id: string
label: string
}
/**
 * A house rule or any game.
 */
export interface NumbersRequest {
game: string
}
/**
 * The named values of a game, the changed ones first.
 */
export interface NumberRows {
values: NumberRow[]
}
/**
 * A named value: what it is, and what it was before the changes of the game's own ruleset.
 */
export interface NumberRow {
id: string
says: string
value: string
before: string
ruleset: string
}
/**
 * A job by its name.
 */
export interface JobName {
job: string
}
/**
 * A job: `simulation` and `boards` are its results so far; `report` says whether `simulate.report` has a page.
 */
export interface JobState {
job: string
kind: ("witness" | "simulate")
status: ("waiting" | "running" | "done" | "stopped" | "failed")
what: string
done: number
total: number
report: boolean
simulation?: Measured
boards?: BoardList
problem?: string
diagnostics?: FoundDiagnostic[]
}
/**
 * The results of the games so far, row by row in groups; `conclusion` is a sentence, `look` is the topic that explains the greatest sure difference of points.
 */
export interface Measured {
games: number
names: string[]
rows: MeasuredRow[]
conclusion: string
look?: Explanation
}
/**
 * A measure of all games, and how the later ones differ from the first. `heading` is that of its group; rows of one `unit` are shown on one scale.
 */
export interface MeasuredRow {
id: string
label: string
group: string
heading: string
unit: string
share: boolean
values: (MeasuredValue | null)[]
differences: (MeasuredDifference | null)[]
}
/**
 * A measure of a game: its mean and its interval.
 */
export interface MeasuredValue {
mean: number
low: number
high: number
}
/**
 * A difference from the first game; `sure` where it is significant.
 */
export interface MeasuredDifference {
mean: number
low: number
high: number
sure: boolean
text: string
says: string
}
/**
 * A topic of a comparison, and what it is about.
 */
export interface Explanation {
topic: string
label: string
}
/**
 * The boards of two games; `rows` has the number of one for each row that has a board. `colours` are custom properties that the pictures use, with their values in light and dark mode, and on paper and under strong contrast. `none` is the extent of the search for the others; it is empty while that goes on.
 */
export interface BoardList {
boards: EvidenceBoard[]
rows: {
[k: string]: number
}
colours: {
[k: string]: string[]
}
none: string
}
/**
 * A board on which two games differ: the start, the play, and both ends.
 */
export interface EvidenceBoard {
start: string
play: PlayedStep[]
sides: BoardSide[]
source: string
}
/**
 * A draw or a choice in words, and a small picture of it, or "".
 */
export interface PlayedStep {
says: string
picture: string
}
/**
 * How a board ends on a side: a picture (SVG), and the result in sentences.
 */
export interface BoardSide {
picture: string
results: string[]
says: string
}
/**
 * The ids of the rulesets whose pictures are wanted.
 */
export interface DrawingsRequest {
/**
 * @maxItems 1000
 */
cards: string[]
}
/**
 * The pictures of cards as groups of SVG after `defs`, by ruleset: some of its tiles, or a figure or token.
 */
export interface CardDrawings {
defs: string
drawings: {
[k: string]: string[]
}
}
/**
 * The rulesets that are picked, each with its part, and options.
 */
export interface GamePicks {
/**
 * @maxItems 1000
 */
picks: string[]
options?: {
[k: string]: string
}
}
/**
 * A game made of picks; `ok` where it can be played.
 */
export interface PickedGame {
id: string
title: string
ok: boolean
rulesets: PickedRuleset[]
options: ChosenOption[]
conflicts: Conflict[]
players: number[]
tiles: number
fits: string[]
}
/**
 * A ruleset of the game; `added` where the game needs it and nobody picked it.
 */
export interface PickedRuleset {
id: string
title: string
added: boolean
}
/**
 * An option of the game: its value now.
 */
export interface ChosenOption {
id: string
says: string
value: string
default: string
values: Reading[]
ruleset: string
sources: string[]
}
/**
 * A value of an option, with the statements and sources behind the option.
 */
export interface Reading {
value: string
label: string
}
/**
 * Something that does not go together, and the ways to settle it.
 */
export interface Conflict {
text: string
code: string
settle: Settling[]
}
/**
 * A way to settle a conflict: other picks, other options.
 */
export interface Settling {
label: string
picks: string[]
options: {
[k: string]: string
}
}
/**
 * All rulesets.
 */
export interface Cards {
cards: Card[]
editions: TopicRow[]
kinds: TopicRow[]
topics: TopicRow[]
}
/**
 * A ruleset in the library. `has_tiles` where it brings tiles.
 */
export interface Card {
id: string
title: string
says: string
edition: string
kind: string
year: (number | null)
provides: string[]
needs: Need[]
conflicts: string[]
topics: string[]
parts: CardPart[]
options: CardOption[]
own: boolean
folder: string
readable: boolean
has_tiles: boolean
words: string
statements: number
}
/**
 * A role that a ruleset requires, and the ruleset that fills it by default.
 */
export interface Need {
role: string
ruleset: string
title: string
}
/**
 * A part that may be used alone, or left out: its suffix, such as `:tiles` or `:minus=x`.
 */
export interface CardPart {
suffix: string
label: string
}
/**
 * An option of a ruleset.
 */
export interface CardOption {
id: string
says: string
values: Reading[]
default: string
sources: string[]
}
/**
 * A message of the Language Server Protocol, in either direction.
 */
export interface LspMessage {
message: {

}
}
/**
 * Let the bot whose decision it is choose. With `at`, only if the match is still at this node: several pages may show the match, and each of them lets the bot choose.
 */
export interface BotMove {
match: string
at?: number
seat?: string
}
/**
 * A match at a moment, as one seat sees it. `at` is the number of `node` in its tree. `covered` is true where options would show a hidden hand; whoever decides then asks for the state of his seat.
 */
export interface MatchState {
match: string
game: string
title: string
at: number
node: Node
tip: number
seat: (string | null)
covered: boolean
turn: number
phase: ("setup" | "turn" | "final" | "over")
step: string
steps: Step[]
decision: (DecisionState | null)
drawn: DrawnPiece[]
offers: Offer[]
board: BoardState
players: Player[]
stacks: StackRow[]
supply: Holding[]
memory: Remembered[]
events: Happening[]
over: boolean
winners: string[]
result: string
fault: (Fault | null)
can_undo: boolean
can_redo: boolean
digest: string
}
/**
 * A choice in the tree of a match. `text` is what was chosen, and `cells` where; `log` is what followed from it, and `effects` the part of it that neither the choice nor the points show.
 */
export interface Node {
id: number
parent: number
seat: string
bot: boolean
turn: number
step: string
text: string
notation: string
log: string[]
cells: number[][]
effects: Outcome[]
gains: Gain[]
points: number[]
children: number[]
mark: string
note: string
}
/**
 * Something that a choice brought about, and the cells where.
 */
export interface Outcome {
text: string
cells: number[][]
}
/**
 * Points that somebody got; `award` is its number for `match.why`.
 */
export interface Gain {
award: number
seat: string
points: number
text: string
items: GainItem[]
rule: string
cells: number[][]
turn: number
}
/**
 * An item of an award.
 */
export interface GainItem {
label: string
points: number
}
/**
 * A step of the turn.
 */
export interface Step {
id: string
label: string
status: ("done" | "now" | "skipped" | "coming")
why: string
}
/**
 * A decision: a sentence, and the number of its options. `skip` is the number of the pass, `skip_label` its words. `has_worth`: `match.worth` lists what each option brings.
 */
export interface DecisionState {
seat: string
sentence: string
more: string
kind: ("placement" | "options")
skip: (number | null)
skip_label: string
has_worth: boolean
}
/**
 * A piece that may be laid now, and its turns.
 */
export interface DrawnPiece {
piece: string
label: string
words: string
copies: number
turns: Turning[]
}
/**
 * A turn of a piece in hand: on how many places it fits, and why on none.
 */
export interface Turning {
turn: number
face: number
places: number
}
/**
 * An option. `text` is its notation; `label` says what, `detail` where or on whom, `confirm` both in a few words; `group` is equal for equal acts. `cell`, `turn` and `face` are those of a placement; else `cell`, `segment` and `at` are the spot that it points to, as it lies. `worth` is left to `match.worth`.
 */
export interface Offer {
n: number
verb: string
kind: ("lay" | "figure" | "spot" | "cell" | "player" | "number" | "piece" | "token" | "item" | "pass" | "direction" | "other")
text: string
label: string
detail: string
confirm: string
group: string
cell?: number[]
at?: number[]
turn?: number
face?: number
piece?: string
segment?: string
figure?: string
from_cell?: number[]
shows?: Shown
player?: string
number?: number
token?: string
item?: string
direction?: ("N" | "E" | "S" | "W")
}
/**
 * The figure to draw at the spot of an offer.
 */
export interface Shown {
kind: string
owner: (string | null)
lying: boolean
}
/**
 * The board: its tiles in the order in which they were laid, its figures, tokens, joins and recasts, and its edges: the least and greatest x and y.
 */
export interface BoardState {
tiles: BoardTile[]
figures: BoardFigure[]
tokens: BoardToken[]
joins: BoardJoin[]
recasts: BoardRecast[]
bounds: number[]
}
/**
 * A cell of a piece on the board: `part` is its number among the cells of the face, `turn` counts clockwise quarter turns, `laid` the choices before it lay there, `by` is the seat that laid it. `finished` are the numbers of its segments whose features are complete, `flags` those of them that somebody had points for, `owners` those of others that somebody has figures on.
 */
export interface BoardTile {
cell: number[]
piece: string
face: number
part: number
turn: number
laid?: number
by?: string
finished?: number[]
flags?: TileOwner[]
owners?: TileOwner[]
}
/**
 * The number of a segment of a tile, and the colours of those who have figures on its feature, the one with most first, or who had points for it.
 */
export interface TileOwner {
segment: number
colours: string[]
}
/**
 * A figure that is not at home. `at` is its place on its tile as that lies, (u, v) from 0 to 1, clear of other figures; a figure off the board has no cell, and `place` is its place.
 */
export interface BoardFigure {
id: string
kind: string
label: string
owner: (string | null)
cell: (number[] | null)
at: number[]
place: string
segment?: string
role?: string
lying: boolean
facing?: ("N" | "E" | "S" | "W")
beside?: string
}
/**
 * So many tokens of a kind on a tile. `at` is their place on it as it lies, (u, v) from 0 to 1; `label` names the kind.
 */
export interface BoardToken {
kind: string
label: string
count: number
cell: number[]
at: number[]
}
/**
 * Two segments that are one feature without touching: their cells, their places there, (u, v) from 0 to 1, and both in words.
 */
export interface BoardJoin {
cells: number[][]
at: number[][]
words: string
}
/**
 * A feature of another kind than is printed: the cells of its segments, their places there, (u, v) from 0 to 1, the colour of the kind, and what the feature is in words.
 */
export interface BoardRecast {
cells: number[][]
at: number[][]
colour: string
words: string
}
/**
 * A player as everybody sees him.
 */
export interface Player {
seat: string
label: string
name: string
colour: string
kind: ("person" | "bot")
bot: string
points: number
figures: Holding[]
tokens: Holding[]
to_move: boolean
active: boolean
winner: boolean
}
/**
 * So many of a thing; `out` are those that are not at home.
 */
export interface Holding {
id: string
label: string
count: number
out: number
}
/**
 * A stack: `pieces` or `items` where whoever looks may see them.
 */
export interface StackRow {
id: string
label: string
count: number
owner: (string | null)
pieces?: string[]
items?: StackedItem[]
}
/**
 * So many items of a kind in a stack.
 */
export interface StackedItem {
id: string
label: string
count: number
}
/**
 * A value that the game remembers, in words.
 */
export interface Remembered {
id: string
label: string
value: string
}
/**
 * Something that happened with a choice. `from_cell` and `from_at` are where a figure stood before; `path` are the cells of a figure that moved more than once; `node` is the choice.
 */
export interface Happening {
kind: ("turn" | "final" | "over" | "chosen" | "drawn" | "stacked" | "laid" | "moved" | "home" | "faced" | "given" | "spent" | "joined" | "parted" | "recast" | "covered" | "award")
text: string
seat?: string
cell?: number[]
at?: number[]
from_cell?: number[]
from_at?: number[]
piece?: string
figure?: string
path?: number[][]
gain?: Gain
node?: number
}
/**
 * The rule that could not be carried out.
 */
export interface Fault {
text: string
rule: string
file: string
line: number
}
/**
 * A choice by its number or its notation; `at` is the node at which it was offered.
 */
export interface Choose {
match: string
n?: number
text?: string
at?: number
seat?: string
}
/**
 * A match, seen from a seat; without one, as everybody sees it.
 */
export interface Look {
match: string
seat?: string
}
/**
 * The open cells on which no piece fits that may still come.
 */
export interface DeadCells {
at: number
cells: number[][]
}
/**
 * A segment on the board: by its name, or by a point of the cell, (u, v) from 0 to 1.
 */
export interface FeatureRequest {
match: string
/**
 * @maxItems 1000
 */
cell: number[]
segment?: string
/**
 * @maxItems 1000
 */
at?: number[]
}
/**
 * A feature: what it is, its parts, its figures. `open` is the number of its open ends, where its kind can be completed; `ending` is what it would bring if the game ended now.
 */
export interface FeatureState {
label: string
parts: FeaturePart[]
tiles: number
complete: boolean
open: (number | null)
numbers: Counted[]
figures: string[]
ending: Ending[]
}
/**
 * The segments of a feature on one cell, by their numbers.
 */
export interface FeaturePart {
cell: number[]
segments: number[]
}
/**
 * A number that a rule read, by its text in the rule.
 */
export interface Counted {
text: string
value: number
}
/**
 * Points that somebody would get.
 */
export interface Ending {
seat: string
points: number
items: GainItem[]
}
/**
 * A match by its name.
 */
export interface MatchName {
match: string
}
/**
 * All kept matches, the latest first.
 */
export interface KeptMatches {
matches: KeptMatch[]
}
/**
 * A match that is kept.
 */
export interface KeptMatch {
match: string
game: string
title: string
players: string[]
turn: number
points: number[]
over: boolean
text: string
changed: string
}
/**
 * A node of the tree, or one step to an own choice: `undo`, `redo`.
 */
export interface GoTo {
match: string
at?: number
step?: ("undo" | "redo")
seat?: string
}
/**
 * The best options, the best first.
 */
export interface Hints {
hints: Hint[]
}
/**
 * A good option: the lead it leaves, how much less that is than with the best one, and why.
 */
export interface Hint {
n: number
text: string
label: string
lead: number
less: number
reasons: string[]
}
/**
 * The pieces that nobody has seen yet, with their numbers.
 */
export interface TilesLeft {
pieces: PieceLeft[]
unseen: number
}
/**
 * A kind of piece.
 */
export interface PieceLeft {
piece: string
label: string
count: number
laid: number
unseen: number
}
/**
 * A match from the text of a saved file. With `replay`, a match of other rules is played again as far as its choices are offered by the rules of today.
 */
export interface LoadMatch {
text: string
replay?: boolean
/**
 * @maxItems 1000
 */
seats?: SeatRequest[]
}
/**
 * The player at a seat. `bot` is a name such as `greedy` or `mcts:500`.
 */
export interface SeatRequest {
kind: ("person" | "bot")
name?: string
bot?: string
}
/**
 * A new match. An empty seed is replaced by a random one.
 */
export interface NewMatch {
game: string
options?: {
[k: string]: string
}
/**
 * @maxItems 1000
 */
seats: SeatRequest[]
seed?: string
}
/**
 * A mark and a note at a node.
 */
export interface Annotate {
match: string
at: number
mark: string
note: string
}
/**
 * All nodes; the first is the start. `line` leads from the start through `at` to a tip.
 */
export interface Tree {
match: string
at: number
line: number[]
nodes: Node[]
}
/**
 * A picture of the board.
 */
export interface Picture {
match: string
form?: ("svg" | "png")
size?: number
}
/**
 * A picture: SVG as text, PNG in base64.
 */
export interface PictureFile {
name: string
form: ("svg" | "png")
data: string
}
/**
 * The text of a saved match, and a name for its file.
 */
export interface Saved {
name: string
text: string
}
/**
 * Another player at a seat.
 */
export interface SeatChange {
match: string
seat: string
kind: ("person" | "bot")
name?: string
bot?: string
}
/**
 * The points by source, which add up to `points`, and the turns that changed most.
 */
export interface ScoreSheet {
sources: SheetSource[]
points: number[]
turns: TurningPoint[]
}
/**
 * A source of points; its lines, if it has any, add up to it.
 */
export interface SheetSource {
label: string
points: number[]
lines: SheetLine[]
}
/**
 * Points under a name, for each player in their order.
 */
export interface SheetLine {
label: string
points: number[]
}
/**
 * A turn that changed most: `lead` is the change in a sentence, `reasons` are its choices and points, `node` is its last choice.
 */
export interface TurningPoint {
node: number
seat: string
label: string
lead: string
reasons: string[]
}
/**
 * An award by its number; or all, of a player or turn.
 */
export interface WhyRequest {
match: string
award?: number
seat?: string
turn?: number
}
/**
 * Awards with their reasons.
 */
export interface Why {
awards: WhyAward[]
}
/**
 * An award with its reasons.
 */
export interface WhyAward {
award: number
seat: string
points: number
turn: number
step: string
feature: string
cells: number[][]
basis: Basis
items: WhyItem[]
}
/**
 * A rule and its grounds: the statements that it carries out, and its changes.
 */
export interface Basis {
rule: string
ruleset: string
says: string
place: Place
statements: Cited[]
changes: string[]
}
/**
 * A place in a file; `file` is a path in an opened folder, or empty.
 */
export interface Place {
name: string
file: string
line: number
}
/**
 * A statement of a rulebook with its source.
 */
export interface Cited {
id: string
says: string
authority: string
source: string
section: string
}
/**
 * An item of an award: its points, what was counted, and its grounds.
 */
export interface WhyItem {
name: string
label: string
points: number
counted: Counted[]
basis: Basis
}
/**
 * An option that is not offered: its notation, or a cell for the piece in hand.
 */
export interface WhyNotRequest {
match: string
seat?: string
text?: string
/**
 * @maxItems 1000
 */
cell?: number[]
turn?: number
face?: number
}
/**
 * The reasons; none where it is offered.
 */
export interface WhyNot {
reasons: Refusal[]
}
/**
 * The reason why something is not offered; `condition` is the part of the rule that fails, as it is written.
 */
export interface Refusal {
text: string
rule: string
condition: string
statements: Cited[]
}
/**
 * The worth of each option; empty where there are too many.
 */
export interface WorthList {
at: number
worth: Worth[]
}
/**
 * The worth of an option: points at once, and points if the game ended with this turn, both against doing nothing (or against the position before, where one must choose).
 */
export interface Worth {
n: number
now: number
end: number
}
/**
 * A scenario of a ruleset.
 */
export interface ScenarioRequest {
ruleset: string
id: string
}
/**
 * A scenario step by step. `fails` is what the game must be refused with. `game` and `options` are those of its drawings.
 */
export interface ScenarioPlay {
id: string
ruleset: string
says: string
game: string
options: {
[k: string]: string
}
covers: string[]
statements: string[]
steps: ScenarioStep[]
ok: boolean
fails: string
problems: string[]
digest: string
}
/**
 * A choice with what is expected after it. `found` has the facts found instead. The first step is the position: it has neither a seat nor words.
 */
export interface ScenarioStep {
seat: string
colour: string
words: string
notation: string
expected: ExpectedItem[]
found: string[]
ok: boolean
gains: string[]
board: BoardState
points: {
[k: string]: number
}
decides: string
digest: string
}
/**
 * An expectation: `kind` names its sentence in the words of the page, `names` fill it.
 */
export interface ExpectedItem {
kind: string
names: {
[k: string]: string
}
}
/**
 * Write the files of an opened link into an opened folder.
 */
export interface KeepShared {
text: string
folder?: string
}
/**
 * A text that somebody shared.
 */
export interface OpenRequest {
text: string
}
/**
 * The content of a link: nothing was written, and nothing was played. `options` are those that are not the usual ones, and `match` is the match that `share.play` would play. `games` are those of a comparison.
 */
export interface Opened {
title: string
game: string
games: string[]
rulesets: OpenedRuleset[]
options: string[]
files: OpenedFile[]
match: (OpenedMatch | null)
diagnostics: FoundDiagnostic[]
problem: string
}
/**
 * A ruleset of the game of a link; `carried` if the link brings it.
 */
export interface OpenedRuleset {
id: string
title: string
carried: boolean
}
/**
 * A file that came with a link.
 */
export interface OpenedFile {
path: string
text: string
}
/**
 * A match of a link, before it is played again: who plays, and how many choices it has.
 */
export interface OpenedMatch {
players: string[]
choices: number
}
/**
 * A match, a game, games that are compared, or rulesets of opened folders, to be put into a text.
 */
export interface PackRequest {
match?: string
/**
 * @maxItems 1000
 */
rulesets?: string[]
game?: string
/**
 * @maxItems 1000
 */
games?: string[]
}
/**
 * A text that holds what is shared, before compression.
 */
export interface Packed {
text: string
name: string
summary: string[]
}
/**
 * The drawings of a game, with those of all of its pieces, or of some.
 */
export interface SheetRequest {
game: string
match?: string
options?: {
[k: string]: string
}
/**
 * @maxItems 1000
 */
pieces?: string[]
}
/**
 * Everything that is needed to draw boards of a game. `svg` is one picture with `symbol` elements: tiles have a view box a little larger than their 100 units, all others -50 -50 100 100, in the same units. A drawing has all of its states: `{3?a|b}` is `b` if segment number 3 is finished, `{far?a|b}` on a small tile, `near` is a large one, `{o3}` and `{p3}` are the colours of the owners of segment 3, `{d3}` and `{i3}` the dashes and the ink of the first; a group with `data-if="!far 3"` is there if all conditions hold, `k3` for a segment with an owner, `t3` for one in the tint `{t3}`. `bastion` is the turret at a corner where walls meet; all of them there are finished: `0`; its flags, in the colours `{o0}` and `{o1}`: `k0` and `k1`. `colours` are custom properties that the tiles use, with their values in light and in dark mode, and on paper and under strong contrast.
 */
export interface Sheet {
game: string
hash: string
svg: string
pieces: {
[k: string]: SheetPiece
}
figures: {
[k: string]: SheetFigure
}
tokens: {
[k: string]: SheetToken
}
items: {
[k: string]: SheetItem
}
seats: SheetSeat[]
bastion: string
colours: {
[k: string]: string[]
}
landmarks: string[]
}
/**
 * A piece: for each face its cells.
 */
export interface SheetPiece {
label: string
count: number
faces: SheetCell[][]
}
/**
 * A cell of a face: steps to the east and to the north of the first one, the names of its drawings for no, one, two and three clockwise quarter turns, and each corner of the tile (0 to 3, clockwise from the north-west) at which a wall ends, with the number of the segment.
 */
export interface SheetCell {
x: number
y: number
drawings: string[]
corners: number[][]
spots: SheetSpot[]
words: string
}
/**
 * The places of a figure on a segment, (u, v) from 0 to 1, for each of the four turns.
 */
export interface SheetSpot {
segment: string
at: number[][]
label: string
}
/**
 * The names of the drawings of a kind of figure. Those of owned figures use `currentColor` for the colour of their owner, `{sign}` and `{ink}` for his sign; `colour` is that of a kind without owner. `facing` is the mark of a figure that looks to the north.
 */
export interface SheetFigure {
label: string
owned: boolean
colour: string
standing: string
lying: string
facing: string
}
/**
 * A token, and the name of its drawing.
 */
export interface SheetToken {
label: string
drawing: string
}
/**
 * A kind of item, and the name of its drawing.
 */
export interface SheetItem {
label: string
drawing: string
}
/**
 * A seat: its label, its colour, its sign: a path that differs from those of others, and its colour, and the dashes of its lines, which differ too.
 */
export interface SheetSeat {
id: string
label: string
colour: string
sign: string
ink: string
dashes: string
}
/**
 * A report as a page.
 */
export interface Report {
name: string
html: string
}
/**
 * Games to be played by bots, each so many times, by so many players.
 */
export interface SimulateStart {
/**
 * @maxItems 1000
 */
games: string[]
/**
 * @maxItems 1000
 */
bots: string[]
players: number
count: number
seed?: string
}
/**
 * A ruleset whose scenarios to run.
 */
export interface TestRequest {
ruleset: string
}
/**
 * The scenarios of a ruleset.
 */
export interface TestRun {
scenarios: TestRow[]
unreadable: FoundDiagnostic[]
}
/**
 * A scenario and whether it holds.
 */
export interface TestRow {
id: string
says: string
game: string
passed: boolean
problems: FoundDiagnostic[]
}
/**
 * Two games for which to look for boards.
 */
export interface WitnessStart {
/**
 * @maxItems 1000
 */
games: string[]
decisions?: number
}
/**
 * A language.
 */
export interface WordsRequest {
language: string
}
/**
 * All words of the page in a language. A text with a number has one for each plural form: that for a number below 200 is at `plurals[n]`, for others at `plurals[100 + n % 100]`.
 */
export interface WordList {
language: string
plurals: number[]
texts: {
[k: string]: string | string[]
}
}
/**
 * The id of a message whose answer takes long.
 */
export interface WorkId {
id: (number | string)
}
/**
 * What the studio sends without having been asked.
 */
export interface Notifications {
"file.changed": FileName
job: JobState
lsp: LspMessage
"match.changed": MatchChanged
store: StoreState
work: WorkState
}
/**
 * A match has changed, on another page.
 */
export interface MatchChanged {
match: string
at: number
}
/**
 * The reason why some matches and drafts are kept for this run alone, if there are any.
 */
export interface StoreState {
problem: string
}
/**
 * The step of the work for the message of this id, which is not answered yet.
 */
export interface WorkState {
id: (number | string)
step: ("reading" | "joining" | "compiling" | "setting" | "drawing")
}

export type Calls = Methods;
