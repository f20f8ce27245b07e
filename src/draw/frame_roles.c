/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A colour that a trace states belongs to the slice, not to the frame. A frame, as tables show it,
 * has the one that all its slices with a colour have. V8's states and slices of browsers
 * have a role each. Scripts get one of ROLE_HUES hues by a hash of a text: the same text has the
 * same hue in each file and each run.
 *
 * Times are sums over blocks of samples (blocks.h), so the cost does not depend on the number of
 * samples. */
#include "config.h"

#include "draw/frame_roles.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "draw/role.h"
#include "model/blocks.h"
#include "model/frame.h"
#include "model/profile.h"

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== slice role ====
 *
 * A table of names, sorted for a binary search, and a few beginnings of names. A name that is not
 * in it belongs to a task or to something that DevTools does not colour either. */

struct named {
	const char *name;
	uint8_t role;
};

/* clang-format off */
static const struct named names_role[] = {
	{ "AbortPostTaskCallback", ROLE_SCRIPTING },
	{ "Animation", ROLE_RENDERING },
	{ "AnimationFrame::Render", ROLE_RENDERING },
	{ "AnimationFrame::Script::Execute", ROLE_SCRIPTING },
	{ "AnimationFrame::StyleAndLayout", ROLE_RENDERING },
	{ "BeginCommitCompositorFrame", ROLE_PAINTING },
	{ "BeginFrame", ROLE_RENDERING },
	{ "BeginMainThreadFrame", ROLE_RENDERING },
	{ "CSSParserImpl::parseStyleSheet", ROLE_LOADING },
	{ "CancelAnimationFrame", ROLE_SCRIPTING },
	{ "CancelIdleCallback", ROLE_SCRIPTING },
	{ "Commit", ROLE_PAINTING },
	{ "CompositeLayers", ROLE_PAINTING },
	{ "ConsoleTime", ROLE_SCRIPTING },
	{ "Decode Image", ROLE_PAINTING },
	{ "Decode LazyPixelRef", ROLE_PAINTING },
	{ "DoDecrypt", ROLE_SCRIPTING },
	{ "DoDecryptReply", ROLE_SCRIPTING },
	{ "DoDigest", ROLE_SCRIPTING },
	{ "DoDigestReply", ROLE_SCRIPTING },
	{ "DoEncrypt", ROLE_SCRIPTING },
	{ "DoEncryptReply", ROLE_SCRIPTING },
	{ "DoSign", ROLE_SCRIPTING },
	{ "DoSignReply", ROLE_SCRIPTING },
	{ "DoVerify", ROLE_SCRIPTING },
	{ "DoVerifyReply", ROLE_SCRIPTING },
	{ "Document::recalcStyle", ROLE_RENDERING },
	{ "Document::updateStyle", ROLE_RENDERING },
	{ "Draw LazyPixelRef", ROLE_PAINTING },
	{ "DrawFrame", ROLE_RENDERING },
	{ "EmbedderCallback", ROLE_SCRIPTING },
	{ "EvaluateScript", ROLE_SCRIPTING },
	{ "EventDispatch", ROLE_SCRIPTING },
	{ "EventTiming", ROLE_SCRIPTING },
	{ "FireAnimationFrame", ROLE_SCRIPTING },
	{ "FireIdleCallback", ROLE_SCRIPTING },
	{ "FrameStartedLoading", ROLE_LOADING },
	{ "FunctionCall", ROLE_SCRIPTING },
	{ "GPUTask", ROLE_PAINTING },
	{ "HTMLDocumentParser::ParseHTML", ROLE_LOADING },
	{ "HandlePostMessage", ROLE_SCRIPTING },
	{ "HitTest", ROLE_RENDERING },
	{ "ImageDecodeTask", ROLE_PAINTING },
	{ "ImageUploadTask", ROLE_PAINTING },
	{ "IntersectionObserverController::computeIntersections", ROLE_RENDERING },
	{ "InvalidateLayout", ROLE_RENDERING },
	{ "JSFrame", ROLE_SCRIPTING },
	{ "JSSample", ROLE_SCRIPTING },
	{ "LayerTreeHost::DoUpdateLayers", ROLE_PAINTING },
	{ "Layerize", ROLE_RENDERING },
	{ "Layout", ROLE_RENDERING },
	{ "LayoutInvalidationTracking", ROLE_RENDERING },
	{ "LayoutShift", ROLE_RENDERING },
	{ "LocalFrameView::layout", ROLE_RENDERING },
	{ "LocalFrameView::performLayout", ROLE_RENDERING },
	{ "MarkDOMContent", ROLE_LOADING },
	{ "MarkLoad", ROLE_LOADING },
	{ "NeedsBeginFrameChanged", ROLE_RENDERING },
	{ "PageAnimator::serviceScriptedAnimations", ROLE_RENDERING },
	{ "Paint", ROLE_PAINTING },
	{ "PaintImage", ROLE_PAINTING },
	{ "PaintSetup", ROLE_PAINTING },
	{ "PaintTimingVisualizer::LayoutObjectPainted", ROLE_PAINTING },
	{ "ParseAuthorStyleSheet", ROLE_LOADING },
	{ "ParseHTML", ROLE_LOADING },
	{ "PrePaint", ROLE_RENDERING },
	{ "PreloadRenderBlockingStatusChange", ROLE_LOADING },
	{ "ProfileCall", ROLE_SCRIPTING },
	{ "PropertyTreeBuilder::BuildPropertyTrees", ROLE_RENDERING },
	{ "RasterTask", ROLE_PAINTING },
	{ "Rasterize", ROLE_PAINTING },
	{ "RasterizerTaskImpl::RunOnWorkerThread", ROLE_PAINTING },
	{ "RecalculateStyles", ROLE_RENDERING },
	{ "RequestAnimationFrame", ROLE_SCRIPTING },
	{ "RequestIdleCallback", ROLE_SCRIPTING },
	{ "RequestMainThreadFrame", ROLE_RENDERING },
	{ "Resize Image", ROLE_PAINTING },
	{ "ResourceChangePriority", ROLE_LOADING },
	{ "ResourceFetcher::requestResource", ROLE_LOADING },
	{ "ResourceFinish", ROLE_LOADING },
	{ "ResourceMarkAsCached", ROLE_LOADING },
	{ "ResourceReceiveResponse", ROLE_LOADING },
	{ "ResourceReceivedData", ROLE_LOADING },
	{ "ResourceSendRequest", ROLE_LOADING },
	{ "ResourceWillSendRequest", ROLE_LOADING },
	{ "RunMicrotasks", ROLE_SCRIPTING },
	{ "RunPostTaskCallback", ROLE_SCRIPTING },
	{ "SchedulePostMessage", ROLE_SCRIPTING },
	{ "SchedulePostTaskCallback", ROLE_SCRIPTING },
	{ "ScheduleStyleRecalculation", ROLE_RENDERING },
	{ "ScheduledAction::execute", ROLE_SCRIPTING },
	{ "ScrollLayer", ROLE_RENDERING },
	{ "StyleInvalidatorInvalidationTracking", ROLE_RENDERING },
	{ "StyleRecalcInvalidationTracking", ROLE_RENDERING },
	{ "TileManager::FinishTasksAndCleanUp", ROLE_PAINTING },
	{ "TimeStamp", ROLE_SCRIPTING },
	{ "TimerFire", ROLE_SCRIPTING },
	{ "TimerInstall", ROLE_SCRIPTING },
	{ "TimerRemove", ROLE_SCRIPTING },
	{ "UpdateLayer", ROLE_PAINTING },
	{ "UpdateLayerTree", ROLE_RENDERING },
	{ "UpdateLayoutTree", ROLE_RENDERING },
	{ "UserTiming", ROLE_SCRIPTING },
	{ "WebAnimation", ROLE_RENDERING },
	{ "WebSocketCreate", ROLE_SCRIPTING },
	{ "WebSocketDestroy", ROLE_SCRIPTING },
	{ "WebSocketReceive", ROLE_SCRIPTING },
	{ "WebSocketReceiveHandshakeResponse", ROLE_SCRIPTING },
	{ "WebSocketSend", ROLE_SCRIPTING },
	{ "WebSocketSendHandshakeRequest", ROLE_SCRIPTING },
	{ "XHRLoad", ROLE_SCRIPTING },
	{ "XHRReadyStateChange", ROLE_SCRIPTING },
	{ "console.profile", ROLE_SCRIPTING },
	{ "domContentLoadedEventEnd", ROLE_LOADING },
	{ "domContentLoadedEventStart", ROLE_LOADING },
	{ "firstContentfulPaint", ROLE_LOADING },
	{ "firstPaint", ROLE_LOADING },
	{ "loadEventEnd", ROLE_LOADING },
	{ "loadEventStart", ROLE_LOADING },
	{ "navigationStart", ROLE_LOADING },
};

/* clang-format on */

/* V8 has many names; what they share comes first. */
static const struct named beginnings[] = {
	{ "V8.", ROLE_SCRIPTING },
	{ "v8.", ROLE_SCRIPTING },
};

static int compare(const void *key, const void *row)
{
	return strcmp(key, ((const struct named *)row)->name);
}

enum role slice_role(const char *name)
{
	const struct named *found = bsearch(name, names_role, ARRAY_LEN(names_role),
					    sizeof *names_role, compare);

	if (category_is_gc_slice(name))
		return ROLE_GC;
	if (found)
		return (enum role)found->role;
	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++)
		if (strncmp(name, beginnings[i].name, strlen(beginnings[i].name)) == 0)
			return (enum role)beginnings[i].role;
	return ROLE_TASK;
}

const char *slice_role_name(size_t i)
{
	return i < ARRAY_LEN(names_role) ? names_role[i].name : NULL;
}

/* ==== frame roles ==== */

#define BUNDLE_PERCENT 60

const char *frame_roles_color_name(enum chart_color color)
{
	static const char *const names[CHART_COLOR_COUNT] = {
		[CHART_COLOR_OWNERSHIP] = "ownership",
		[CHART_COLOR_FILE] = "file",
		[CHART_COLOR_PACKAGE] = "package",
		[CHART_COLOR_CATEGORY] = "category",
		[CHART_COLOR_FUNCTION] = "function",
		[CHART_COLOR_HEAT] = "heat (self time)",
		[CHART_COLOR_EVENT_CAT] = "event category (cat)",
	};

	return names[color];
}

/* ---- one frame ---- */

/* A hue of the frames from `first` on. */
static enum role hue_of_text(const struct profile *profile, str_id text, unsigned first)
{
	const char *name = profile_text(profile, text);

	return (enum role)(first + hash_bytes(name, strlen(name)) % ROLE_HUES);
}

/* The role that a frame has in every colour mode; ROLE_PLAIN: none. */
static enum role fixed_role(const struct frame *frame)
{
	switch (frame->category) {
	case CATEGORY_GC:
		return ROLE_GC;
	case CATEGORY_IDLE:
		return ROLE_IDLE;
	case CATEGORY_PROGRAM:
	case CATEGORY_UNKNOWN:
		return ROLE_PROGRAM;
	case CATEGORY_NATIVE:
		return ROLE_NATIVE;
	case CATEGORY_RENDERING:
		return ROLE_RENDERING;
	default:
		return ROLE_PLAIN;
	}
}

static bool is_own(enum category category)
{
	return category == CATEGORY_APP || category == CATEGORY_WASM || category == CATEGORY_EVAL ||
		category == CATEGORY_LANE || category == CATEGORY_LABEL;
}

/* Roles of browsers' slices, by name. Slices of other programs have hues, or they would all be
 * grey. */
static enum role role_of_slice(const struct frame_scheme *scheme, const struct profile *profile,
			       const struct frame *frame)
{
	return scheme->has_browser ? slice_role(profile_text(profile, frame->name))
				   : hue_of_text(profile, frame->name, ROLE_FRAME);
}

static enum role role_by_owner(const struct frame_scheme *scheme, const struct profile *profile,
			       const struct frame *frame)
{
	str_id text = frame->url && frame->url != scheme->bundle ? frame->url : frame->name;

	/* Of calls of several functions in one row: the hue of the package. */
	if (!frame->url && frame->package)
		text = frame->package;

	switch (frame->category) {
	case CATEGORY_SLICE:
	case CATEGORY_MARK:
		return role_of_slice(scheme, profile, frame);
	case CATEGORY_NODE:
	case CATEGORY_RUNTIME:
	case CATEGORY_BUNDLER:
		return ROLE_NODE;
	case CATEGORY_REGEXP:
		return ROLE_NATIVE;
	default:
		return hue_of_text(profile, text,
				   is_own(frame->category) || !scheme->has_own ? ROLE_FRAME
									       : ROLE_DEPENDENCY);
	}
}

static enum role role_by_category(const struct frame_scheme *scheme, const struct profile *profile,
				  const struct frame *frame)
{
	/* Neighbours in the legend have distant hues. */
	static const uint8_t role[CATEGORY_COUNT] = {
		[CATEGORY_APP] = ROLE_FRAME,           [CATEGORY_DEPENDENCY] = ROLE_FRAME + 2,
		[CATEGORY_NODE] = ROLE_NODE,           [CATEGORY_RUNTIME] = ROLE_FRAME + 9,
		[CATEGORY_REGEXP] = ROLE_FRAME + 5,    [CATEGORY_WASM] = ROLE_FRAME + 3,
		[CATEGORY_EVAL] = ROLE_FRAME + 6,      [CATEGORY_BUNDLER] = ROLE_FRAME + 4,
		[CATEGORY_EXTENSION] = ROLE_FRAME + 8, [CATEGORY_LANE] = ROLE_FRAME,
		[CATEGORY_LABEL] = ROLE_FRAME,
	};

	return frame->category == CATEGORY_SLICE || frame->category == CATEGORY_MARK
		? role_of_slice(scheme, profile, frame)
		: (enum role)role[frame->category];
}

enum role frame_roles_cat(const struct profile *profile, str_id first)
{
	return first ? hue_of_text(profile, first, ROLE_FRAME) : ROLE_TASK;
}

/* The role of a frame whose role depends on the colour mode. */
static enum role role_by_mode(const struct frame_scheme *scheme, const struct profile *profile,
			      const struct frame *frame, enum chart_color color)
{
	switch (color) {
	case CHART_COLOR_CATEGORY:
		return role_by_category(scheme, profile, frame);
	case CHART_COLOR_PACKAGE:
		/* Frames without a package belong to the profiled program itself. */
		return frame->package ? hue_of_text(profile, frame->package, ROLE_FRAME)
				      : ROLE_FRAME;
	case CHART_COLOR_FUNCTION:
		return hue_of_text(profile, frame->name, ROLE_FRAME);
	case CHART_COLOR_EVENT_CAT:
		return frame->category == CATEGORY_SLICE || frame->category == CATEGORY_MARK
			? frame_roles_cat(profile,
					  frame->cat ? profile->event_cats[frame->cat].first : 0)
			: role_by_category(scheme, profile, frame);
	case CHART_COLOR_FILE:
		return hue_of_text(profile, frame->url ? frame->url : frame->name, ROLE_FRAME);
	default:
		return role_by_owner(scheme, profile, frame);
	}
}

/* The role of a frame without regard to colours that traces state. */
static enum role role_of_frame(const struct frame_roles *roles, const struct profile *profile,
			       frame_id id)
{
	static const struct frame_scheme unknown = { .has_own = true };
	const struct frame_scheme *scheme = roles ? &roles->scheme : &unknown;
	const struct frame *frame = profile_frame(profile, id);
	enum role fixed = fixed_role(frame);

	if (fixed != ROLE_PLAIN)
		return fixed;
	return role_by_mode(scheme, profile, frame, roles ? roles->color : CHART_COLOR_OWNERSHIP);
}

static_assert(ROLE_CNAMES == FRAME_COLORS - 1, "each reserved colour has a role");

static enum role role_of_color(unsigned color)
{
	return (enum role)(ROLE_CNAME + color - 1);
}

const char *frame_roles_cname(unsigned i)
{
	return frame_color_name(i + 1);
}

enum role frame_roles_find(const struct frame_roles *roles, const struct profile *profile,
			   frame_id id)
{
	unsigned color = profile_frame(profile, id)->color;

	if (color && color != FRAME_COLOR_MIXED && !(roles && roles->scheme.ignores_cnames))
		return role_of_color(color);
	return role_of_frame(roles, profile, id);
}

enum role frame_roles_of_span(const struct frame_roles *roles, const struct profile *profile,
			      const struct lane *lane, const struct span *span)
{
	frame_id id = lane->tree.frame[span->node];
	unsigned color;
	size_t slice;

	if (!profile_frame(profile, id)->color || !lane->slices.n ||
	    (roles && (roles->scheme.ignores_cnames || roles->color == CHART_COLOR_HEAT)))
		return frame_roles_node(roles, profile, lane, span->node);
	slice = slice_of_span(lane, span);
	color = slice == SIZE_MAX ? 0 : slice_color(&lane->slices, slice);
	if (color)
		return role_of_color(color);
	return roles && roles->color == CHART_COLOR_EVENT_CAT && lane->cats
		? frame_roles_node(roles, profile, lane, span->node)
		: role_of_frame(roles, profile, id);
}

/* ---- times ---- */

/* Self time by frame of one lane. */
struct sum {
	const struct lane *lane;
	int64_t *self_ns;
};

static void add_leaf(void *ctx, node_id leaf, int64_t ns)
{
	struct sum *sum = ctx;

	sum->self_ns[sum->lane->tree.frame[leaf]] += ns;
}

static void add_leaves(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_leaf(ctx, leaf[i], ns[i]);
}

static void add_lane(const struct lane *lane, int64_t *self_ns)
{
	struct sum sum = { lane, self_ns };
	const struct blocks_visitor visitor = { &sum, add_leaves, add_leaf, NULL };

	if (lane->samples.n)
		blocks_each(&lane->samples, samples_time(&lane->samples, 0),
			    samples_time(&lane->samples, lane->samples.n), &visitor);
	else if (lane->hits)
		for (node_id node = 1; node < lane->tree.n; node++)
			add_leaf(&sum, node, lane->hits[node]);
}

int64_t *frame_roles_times(const struct profile *profile, int64_t *busy_ns)
{
	int64_t *self_ns = xcalloc((size_t)profile->frames.n + 1, sizeof *self_ns);
	enum lane_kind kind = LANE_SLICES;

	for (uint32_t i = 0; i < profile->n_lanes; i++)
		if (profile->lanes[i].kind == LANE_SAMPLES)
			kind = LANE_SAMPLES;
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		if (profile->lanes[i].kind == kind)
			add_lane(&profile->lanes[i], self_ns);
	self_ns[FRAME_NONE] = 0;
	*busy_ns = 0;
	for (frame_id f = 1; f < profile->frames.n; f++)
		if (profile->frames.frames[f].category != CATEGORY_IDLE)
			*busy_ns += self_ns[f];
	return self_ns;
}

/* ---- the scheme ---- */

static bool has_urls(const struct profile *profile)
{
	for (frame_id f = 1; f < profile->frames.n; f++)
		if (profile->frames.frames[f].url)
			return true;
	return false;
}

/* The url with more than BUNDLE_PERCENT of the time; 0: none. If there is one, it is the candidate
 * that is left when times of other urls cancel it out (majority vote). */
static str_id find_bundle(const struct profile *profile)
{
	const struct frame *frames = profile->frames.frames;
	int64_t busy_ns, *self_ns, left = 0, of_url = 0;
	str_id url = 0;

	if (!has_urls(profile))
		return 0;
	self_ns = frame_roles_times(profile, &busy_ns);

	for (frame_id f = 1; f < profile->frames.n; f++) {
		if (!frames[f].url || frames[f].url == url) {
			left += frames[f].url ? self_ns[f] : 0;
		} else if (self_ns[f] > left) {
			left = self_ns[f] - left;
			url = frames[f].url;
		} else {
			left -= self_ns[f];
		}
	}
	for (frame_id f = 1; url && f < profile->frames.n; f++)
		of_url += frames[f].url == url ? self_ns[f] : 0;
	free(self_ns);
	return (double)of_url * 100 > (double)busy_ns * BUNDLE_PERCENT ? url : 0;
}

void frame_roles_scheme(const struct profile *profile, struct frame_scheme *scheme)
{
	*scheme = (struct frame_scheme){ .is_made = true,
					 .ignores_cnames = scheme->ignores_cnames,
					 .bundle = find_bundle(profile) };
	for (frame_id f = 1; f < profile->frames.n; f++) {
		const struct frame *frame = &profile->frames.frames[f];

		scheme->has_own |= is_own(frame->category);
		scheme->has_browser |= frame->category == CATEGORY_SLICE &&
			slice_role(profile_text(profile, frame->name)) != ROLE_TASK;
	}
}

/* ---- all frames ---- */

/* From cold to hot, by the share of the busy time: each limit is about half of the one above. */
static enum role role_of_heat(int64_t self_ns, int64_t busy_ns)
{
	static const double least[] = { 0.002, 0.01, 0.025, 0.05, 0.1 };
	unsigned level = 0;

	while (level < ARRAY_LEN(least) && (double)self_ns >= least[level] * (double)busy_ns &&
	       self_ns > 0)
		level++;
	return (enum role)(ROLE_HEAT_0 + level);
}

static void make_heat(struct frame_roles *roles, const struct profile *profile)
{
	int64_t busy_ns, *self_ns = frame_roles_times(profile, &busy_ns);

	for (frame_id f = 0; f < roles->n; f++)
		if (roles->of[f] != ROLE_GC && roles->of[f] != ROLE_IDLE)
			roles->of[f] = (uint8_t)role_of_heat(self_ns[f], busy_ns);
	free(self_ns);
}

static void make_busy(struct frame_roles *roles, const struct profile *profile)
{
	roles->busy = xcalloc((size_t)roles->n + 1, 1);
	for (frame_id f = 1; f < roles->n; f++)
		if (profile->frames.frames[f].category != CATEGORY_IDLE)
			roles->busy[f] = roles->of[f];
}

void frame_roles_make(struct frame_roles *roles, const struct profile *profile,
		      struct frame_scheme *scheme, enum chart_color color)
{
	frame_roles_done(roles);
	*roles = (struct frame_roles){ .color = color, .n = profile->frames.n };
	if (!scheme->is_made)
		frame_roles_scheme(profile, scheme);
	roles->scheme = *scheme;
	roles->of = xcalloc((size_t)roles->n + 1, 1);
	for (frame_id f = 0; f < roles->n; f++)
		roles->of[f] = (uint8_t)frame_roles_find(roles, profile, f);
	if (color == CHART_COLOR_HEAT)
		make_heat(roles, profile);
	make_busy(roles, profile);
	for (frame_id f = 1; f < roles->n && !scheme->ignores_cnames; f++)
		roles->has_cnames |= profile->frames.frames[f].color != 0;
	roles->profile = profile;
}

void frame_roles_add(struct frame_roles *roles, const struct profile *drawn)
{
	int64_t busy_ns = 0, *self_ns = NULL;

	if (!roles->profile || drawn->frames.n < roles->n)
		return;
	roles->drawn = drawn;
	roles->n_drawn = drawn->frames.n;
	roles->of = xrealloc(roles->of, (size_t)roles->n_drawn + 1, 1);
	if (roles->color == CHART_COLOR_HEAT)
		self_ns = frame_roles_times(drawn, &busy_ns);
	for (frame_id f = roles->n; f < roles->n_drawn; f++)
		roles->of[f] = (uint8_t)(self_ns ? role_of_heat(self_ns[f], busy_ns)
						 : frame_roles_find(roles, drawn, f));
	free(self_ns);
}

void frame_roles_done(struct frame_roles *roles)
{
	free(roles->of);
	free(roles->busy);
	*roles = (struct frame_roles){ 0 };
}
